// SPDX-License-Identifier: Apache-2.0

// The steps of a sort on a device with memory of its own. Each is enqueued by itself.
//
//   const DeviceSortSteps& steps = sort_steps_of(queue);
//   void* scratch = memory.take(MemorySpace::kDevice, steps.scratch_bytes(queue, size, count));
//   steps.sort(queue, {.size = size, .key_bits = size.key_bits(), .in = {in, count}, .out = out,
//                      .scratch = scratch});
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/steps/early_outputs.h>
#include <millrace/algorithms/radix_sort/steps/partition_step.h>
#include <millrace/algorithms/radix_sort/steps/position_step.h>
#include <millrace/algorithms/radix_sort/steps/records.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Sorts at least one record by bits `first_bit` to `key_bits` - 1 of the keys, stable and
// ascending. Fewer bits take less time.
struct SortStep {
  RecordSize size;
  int first_bit = 0;
  int key_bits = 0;
  RecordRun in;
  Records out;
  void* scratch = nullptr;
};

// Merges two sorted runs. Equal keys of `a` come first.
struct MergeStep {
  RecordSize size;
  RecordRun a;
  RecordRun b;
  Records out;
  std::size_t first = 0;  // Writes outputs first, first + 1, ... of the merge to their indices,
  std::size_t count = 0;  // this many of them.
  void* scratch = nullptr;
};

// Maps keys to ordered bits (key_bits.h), or back. `from` and `to` may be the same. The ordered
// bits of keys of 1 and 2 bytes are words of 4 bytes, in other memory than the keys.
struct MapStep {
  KeyType type = KeyType::kU32;
  SortOrder order = SortOrder::kAscending;
  bool to_ordered = true;
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t count = 0;
};

// out[i] = values[indices[i]] for i below `count`; values have 4 or 8 bytes.
struct GatherStep {
  std::size_t value_bytes = 4;
  const void* values = nullptr;
  const std::uint32_t* indices = nullptr;
  std::size_t count = 0;
  void* out = nullptr;
};

// Each member but the sizes enqueues work and returns. Memory belongs to the caller until the queue
// has passed it, and is device memory unless a step says otherwise. Keys are unsigned integers,
// ordered as by KeyBits::ordered; map_keys and partition take any keys. Values are any bytes.
// Inputs and outputs do not overlap, and inputs are not changed.
class DeviceSortSteps {
 public:
  virtual ~DeviceSortSteps() = default;

  // Bytes that sort() and merge() of up to `count` records need at `scratch`.
  virtual std::size_t scratch_bytes(Queue& queue, RecordSize size, std::size_t count) const = 0;

  // Bytes that partition() needs at `scratch`.
  virtual std::size_t partition_scratch_bytes(Queue& queue) const = 0;

  virtual void sort(Queue& queue, const SortStep& step) const = 0;
  virtual void merge(Queue& queue, const MergeStep& step) const = 0;
  virtual void map_keys(Queue& queue, const MapStep& step) const = 0;

  // Writes the indices first, first + 1, ... of 4 or 8 bytes each.
  virtual void number(Queue& queue, std::size_t index_bytes, void* indices, std::size_t first,
                      std::size_t count) const = 0;

  virtual void gather(Queue& queue, const GatherStep& step) const = 0;

  // Gathers by indices in [first, end) alone; other outputs stay as they are.
  virtual void gather_within(Queue& queue, const GatherStep& step, std::size_t first,
                             std::size_t end) const = 0;

  // Writes the mask and the tile starts.
  virtual void mark_early(Queue& queue, const EarlyOutputs& outputs) const = 0;

  virtual void gather_tiles(Queue& queue, const TileGatherStep& step) const = 0;
  virtual void find_positions(Queue& queue, const PositionStep& step) const = 0;
  virtual void partition(Queue& queue, const PartitionStep& step) const = 0;
};

// The OpTable entry of a target whose devices have memory of their own.
struct SortStepsOp {
  using Function = const DeviceSortSteps&();
};

// Returns the steps of the queue's device. Throws kUnsupported if it has none.
inline const DeviceSortSteps& sort_steps_of(const Queue& queue) {
  return OpTable<SortStepsOp>::at(queue)();
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_

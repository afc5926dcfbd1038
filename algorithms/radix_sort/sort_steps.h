// SPDX-License-Identifier: Apache-2.0

// What sorting asks of a device with memory of its own: steps that are enqueued one by one.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Keys, and values where there are any, in device memory.
struct Records {
  void* keys = nullptr;
  void* values = nullptr;
};

// Bytes of a key (4 or 8) and of a value (0, 4 or 8).
struct RecordSize {
  std::size_t key = 4;
  std::size_t value = 0;

  std::size_t bytes() const { return key + value; }
  int key_bits() const { return static_cast<int>(8 * key); }
};

// A stable pass by one digit: `bits` (1 to 8) bits of the key from `first_bit` on.
struct DigitPass {
  int first_bit = 0;
  int bits = 8;

  std::uint32_t digits() const { return 1U << bits; }
};

// Seconds on the device.
struct PassTimes {
  double reduction = 0;  // Counting the digits.
  double scan = 0;
  double scatter = 0;

  PassTimes& operator+=(const PassTimes& more) {
    reduction += more.reduction;
    scan += more.scan;
    scatter += more.scatter;
    return *this;
  }
};

// Outputs of a sort are in tiles of so many; the last may be shorter.
inline constexpr std::size_t kSplitTile = 1024;

// A place in sorted keys: behind all that are below `key` and, where `is_behind`, those equal to
// it.
struct KeyLimit {
  std::uint64_t key = 0;
  std::uint64_t is_behind = 0;
};

// Each member but the sizes enqueues work and returns. Memory belongs to the caller until the queue
// has passed it, and is device memory where nothing else is said. Keys are unsigned integers,
// ordered as KeyBits::ordered makes them but for map_keys and partition, which take any; values are
// any bytes. Inputs and outputs do not overlap and inputs are left as they are.
class SortSteps {
 public:
  virtual ~SortSteps() = default;

  // Bytes that sort() and merge() of up to `count` records need at `scratch`.
  virtual std::size_t scratch_bytes(Queue& queue, RecordSize size, std::size_t count) const = 0;

  // Stable, ascending, by the lowest `key_bits` bits of the keys, at least one: the fewer they are,
  // the less time it takes.
  virtual void sort(Queue& queue, RecordSize size, int key_bits, Records in, Records out,
                    std::size_t count, void* scratch) const = 0;

  // Outputs first, first + 1, ... of two sorted runs merged to one, at their places in `out`; equal
  // keys of `a` come first.
  virtual void merge(Queue& queue, RecordSize size, Records a, std::size_t a_count, Records b,
                     std::size_t b_count, Records out, std::size_t first, std::size_t count,
                     void* scratch) const = 0;

  // to[i] = map of from[i], which may be the same place: to ordered bits or back.
  virtual void map_keys(Queue& queue, KeyType type, SortOrder order, bool to_ordered,
                        const void* from, void* to, std::size_t count) const = 0;

  // Indices first, first + 1, ... of 4 or 8 bytes.
  virtual void number(Queue& queue, std::size_t index_bytes, void* indices, std::size_t first,
                      std::size_t count) const = 0;

  // out[i] = values[indices[i]]; values of 4 or 8 bytes.
  virtual void gather(Queue& queue, std::size_t value_bytes, const void* values,
                      const std::uint32_t* indices, void* out, std::size_t count) const = 0;

  // The same for indices from `first` to before `end` alone; the other outputs stay as they are.
  virtual void gather_within(Queue& queue, std::size_t value_bytes, const void* values,
                             const std::uint32_t* indices, std::size_t first, std::size_t end,
                             void* out, std::size_t count) const = 0;

  // Marks outputs whose index is below `limit`: bit i % 32 of mask[i / 32]; and writes to
  // `tile_starts` how many of them are before each tile of kSplitTile outputs, and, behind the last
  // tile, in all. Bits behind the last output are 0. Mask and starts are in device or pinned
  // memory.
  virtual void mark_early(Queue& queue, const std::uint32_t* indices, std::size_t count,
                          std::uint32_t limit, std::uint32_t* mask,
                          std::uint32_t* tile_starts) const = 0;

  // Gathers, in the order of outputs, the values of those marked (`early`) or of the others, of
  // whole tiles [first_tile, end_tile): out begins with what is first of all outputs.
  virtual void gather_part(Queue& queue, std::size_t value_bytes, const void* values,
                           const std::uint32_t* indices, std::size_t count, std::uint32_t limit,
                           const std::uint32_t* tile_starts, bool early, std::size_t first_tile,
                           std::size_t end_tile, void* out) const = 0;

  // Writes how many of some sorted keys are before each of the limits. Limits and places are in
  // pinned memory.
  virtual void find_places(Queue& queue, std::size_t key_bytes, const void* keys, std::size_t count,
                           const KeyLimit* limits, std::size_t limit_count,
                           std::uint64_t* places) const = 0;

  // Bytes that partition() needs at `scratch`.
  virtual std::size_t partition_scratch_bytes(Queue& queue) const = 0;

  // One stable pass by a digit, of fewer than 2^32 records. `starts`, of pass.digits() words in
  // pinned memory, may be null; it gets the place of each digit's first record. Where `times` is
  // given, they are added to it by the time the queue has passed the step; this takes longer.
  virtual void partition(Queue& queue, RecordSize size, DigitPass pass, Records in, Records out,
                         std::size_t count, void* scratch, std::uint32_t* starts,
                         PassTimes* times) const = 0;
};

// The OpTable entry of a backend whose devices have memory of their own.
struct SortStepsOp {
  using Function = const SortSteps&();
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STEPS_H_

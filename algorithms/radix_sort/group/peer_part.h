// SPDX-License-Identifier: Apache-2.0

// One device's part in a sort by devices that copy from each other (group_sort_peers.h).
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PART_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PART_H_

#include <millrace/algorithms/radix_sort/group/splitters.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace millrace::radix_sort {

// Sorted records in memory of some device.
struct PeerRun {
  Records records;
  std::size_t count = 0;
  const void* values = nullptr;  // Those that were given, of pairs, once they are in order.
};

// Members are called in their order, by one thread at a time. What is sorted are keys: of pairs
// with the places of their values, which come up meanwhile and go down when all keys have.
class PeerPart {
 public:
  // `slice` is what the device brings up of the arguments' input, which outlive this object.
  PeerPart(Queue& queue, const SortArguments& arguments, const Chunk& slice);

  // Waits for all that is enqueued, and drops errors: before memory goes that others copy from.
  void drain() noexcept { link_.drain(); }

  // Returns when the slice is sorted; values may still be on their way up.
  void sort_slice();

  // Some of its records, evenly spaced, their places counted on from the slice's first.
  std::vector<Splitter> sample(std::size_t samples);

  // How many of its records are before each splitter.
  std::vector<std::size_t> places_of(std::span<const Splitter> splitters);

  // The sorted records from place `begin` to before `end`.
  PeerRun run(std::size_t begin, std::size_t end) const;

  // Merges runs, of this device and of others, in their order; returns when the coded keys are on
  // their way to the outputs from `first_output` on, and indices, too. `parts` is how many devices
  // do so at once.
  void merge_and_send(std::span<const PeerRun> runs, std::size_t first_output, std::size_t parts);

  // Has the keys decoded as they come, and meanwhile, of pairs, the slice's values put where their
  // keys are, part by part as they come up; returns when they are there.
  void receive_and_order_values();

  // Of pairs, when all devices' values are in order: sends those of the merged runs after the keys.
  void send_values(std::span<const PeerRun> runs);

  // Returns when the outputs are there.
  void finish();

  const SortReport& report() const { return report_; }

 private:
  bool has_values() const { return arguments_.values_in != nullptr; }
  void bring_up(const Chunk& chunk);
  void bring_values_up();
  void sort_chunk(const Chunk& chunk, void* scratch);
  PeerRun here(const PeerRun& run, std::size_t place, bool is_alone);
  PeerRun merged(const PeerRun& a, const PeerRun& b);
  double link_rate() const;
  SortArguments outputs(std::size_t first, std::size_t count) const;
  bool is_own(const PeerRun& run) const;

  const SortArguments& arguments_;
  const Chunk slice_;
  const RecordSize size_;
  const std::vector<Chunk> chunks_;  // Of the slice.
  SortReport report_;
  SortLink link_;
  const Records uploaded_;
  const Records sorted_;
  Records run_{};               // The slice, once it is sorted.
  std::vector<Event> uploads_;  // Of keys.
  struct ValuePart {
    Chunk values;
    Event upload;
  };
  std::vector<ValuePart> value_parts_;
  void* values_ = nullptr;    // The slice's, as they came,
  void* in_order_ = nullptr;  // and as its sorted keys are.
  SortArguments outputs_{};   // What is sent; outlives what sends it.
  Records merged_{};          // That many records; of pairs with places in the runs.
  std::optional<KeysDown> keys_down_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PART_H_

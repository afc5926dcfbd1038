// SPDX-License-Identifier: Apache-2.0

// Values that follow their sorted keys: up to the device in the order they came, down in the keys'.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/host/host_threads.h>

namespace millrace::radix_sort {

// To be called in the order of the members. Of the first outputs, the values of the first part of
// the input, the early ones, may go down while the others come up; the host weaves both by a mask.
class ValuesDown {
 public:
  // Takes the memory it needs, which is more if there are to be early values. Segments as of
  // HostSortOptions.
  ValuesDown(SortLink& link, const SortArguments& arguments, bool may_be_early,
             std::size_t most_segments);

  // Enqueues the way up.
  void bring_up();

  // Enqueues what finds the early ones, if any: output i is value indices[i], which are in device
  // memory.
  void prepare(const std::uint32_t* indices, bool has_early);

  // Enqueues the way down, once all that prepare() gave the link is down.
  void send();

  // Returns when the host has the values.
  void receive();

 private:
  // Of outputs that are woven.
  struct Segment {
    Chunk tiles;
    Event arrived = {};
  };

  void send_late();

  // Outputs from `first` on, which are not woven.
  void send_in_order(std::size_t first);

  template <class Value>
  void start_weaving(const Chunk& tiles);

  // That a plan of so many of the outputs is to have at most.
  std::size_t segments_of(std::size_t outputs) const;

  // Late values before a tile that is woven, and all early ones; when the host has the starts.
  std::size_t late_before(std::size_t tile) const;
  std::size_t early() const { return host_starts_[tiles()]; }

  std::size_t count() const { return arguments_.count; }
  std::size_t value_bytes() const { return arguments_.value_bytes; }
  std::size_t tiles() const { return woven_ / kSplitTile; }
  std::byte* value_at(void* values, std::size_t index) const {
    return static_cast<std::byte*>(values) + value_bytes() * index;
  }

  SortLink& link_;
  const SortArguments& arguments_;
  const std::size_t most_segments_;
  const std::size_t woven_;          // The first outputs, whole tiles: early and late values.
  const std::uint32_t early_limit_;  // Values of the input that are early.
  const std::uint32_t* indices_ = nullptr;
  void* values_;    // On the device, as they came;
  void* gathered_;  // and in order: of outputs that are woven the early ones, then the others.
  std::uint32_t* mask_ = nullptr;
  std::uint32_t* starts_ = nullptr;
  std::uint32_t* host_mask_ = nullptr;  // These in pinned memory.
  std::uint32_t* host_starts_ = nullptr;
  void* host_values_ = nullptr;
  bool weaves_ = false;
  Event early_are_up_;
  Event all_are_up_;
  Event starts_are_down_;
  Event early_are_gathered_;
  Event all_are_down_;
  std::vector<Segment> woven_segments_;
  HostJobs jobs_{HostThreads::shared()};  // Ends before what it uses.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_

// SPDX-License-Identifier: Apache-2.0

// Sorts one device's partition, a slice of the input and then a range of the keys, in a sort by
// devices that copy from each other (group_sort_peers.h).
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PARTITION_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PARTITION_H_

#include <millrace/algorithms/radix_sort/group/splitter.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_stage.h>
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

// Sorted records in the memory of some device.
struct PeerRun {
  Records records;
  std::size_t count = 0;
  const void* values = nullptr;  // The caller's values, for pairs, once they are in order.
};

// Sorts keys; for pairs with the indices of their values, which are uploaded meanwhile and
// downloaded after all keys. Each call returns the object that has the next one:
//
//   PeerPartition partition(queue, arguments, slice);
//   PeerPartition::SortedSlice sorted = partition.sort_slice();  // Others take its runs now.
//   PeerPartition::SentKeys sent = std::move(sorted).merge_and_send({runs, first_output, devices});
//   PeerPartition::OrderedValues ordered = std::move(sent).receive_and_order_values();
//   // Once the values of all devices are ordered:
//   std::move(ordered).send_values(runs).finish();
//
// These objects refer to the partition, which outlives them and keeps its memory. One thread at a
// time calls a partition and them.
class PeerPartition {
 public:
  // The runs that a device merges.
  struct Range {
    std::span<const PeerRun> runs;  // One of each device, in their order.
    std::size_t first_output = 0;   // Index of the merge's first record in the outputs.
    std::size_t devices = 1;        // Devices that merge at once.
  };

  // All downloads are enqueued.
  class SentValues : SortStage<PeerPartition> {
   public:
    // Returns when the outputs are complete.
    void finish() && { take().finish(); }

   private:
    friend PeerPartition;
    explicit SentValues(PeerPartition& partition) : SortStage(partition) {}
  };

  // The slice's values are in the order of its keys.
  class OrderedValues : SortStage<PeerPartition> {
   public:
    // Sends the values of the merged runs, for pairs. All devices' values are in order.
    [[nodiscard]] SentValues send_values(std::span<const PeerRun> runs) && {
      PeerPartition& partition = take();
      partition.send_values(runs);
      return SentValues(partition);
    }

   private:
    friend PeerPartition;
    explicit OrderedValues(PeerPartition& partition) : SortStage(partition) {}
  };

  // The copies of keys are enqueued.
  class SentKeys : SortStage<PeerPartition> {
   public:
    // Has the keys decoded as they arrive, and meanwhile, for pairs, puts the slice's values in the
    // order of their keys, segment by segment as they are uploaded. Returns when they are.
    [[nodiscard]] OrderedValues receive_and_order_values() && {
      PeerPartition& partition = take();
      partition.receive_and_order_values();
      return OrderedValues(partition);
    }

   private:
    friend PeerPartition;
    explicit SentKeys(PeerPartition& partition) : SortStage(partition) {}
  };

  // The slice is sorted; values may still be uploaded.
  class SortedSlice : SortStage<PeerPartition> {
   public:
    // Returns some of its records, evenly spaced, with their indices in the input.
    std::vector<Splitter> sample(std::size_t samples) const { return owner().sample(samples); }

    // Returns how many of its records are before each splitter.
    std::vector<std::size_t> positions_of(std::span<const Splitter> splitters) const {
      return owner().positions_of(splitters);
    }

    // Returns the sorted records [begin, end). Its memory is the partition's.
    PeerRun run(std::size_t begin, std::size_t end) const { return owner().run(begin, end); }

    // Merges runs. Returns when the coded keys, and any indices, are being copied to the outputs.
    [[nodiscard]] SentKeys merge_and_send(const Range& range) && {
      PeerPartition& partition = take();
      partition.merge_and_send(range);
      return SentKeys(partition);
    }

   private:
    friend PeerPartition;
    explicit SortedSlice(PeerPartition& partition) : SortStage(partition) {}
  };

  // `slice` is the range of the arguments' input that the device uploads. `queue` and `arguments`
  // outlive this object.
  PeerPartition(Queue& queue, const SortArguments& arguments, const RecordSpan& slice);

  // Waits for all that is enqueued, and drops errors: called before memory is freed that others
  // copy from.
  void drain() noexcept { link_.drain(); }

  // Returns when the slice is sorted.
  [[nodiscard]] SortedSlice sort_slice();

  const SortReport& report() const { return report_; }

 private:
  bool has_values() const { return arguments_.values_in != nullptr; }
  void upload(const RecordSpan& chunk);
  void upload_values();
  void sort_chunk(const RecordSpan& chunk, void* scratch);
  std::vector<Splitter> sample(std::size_t samples);
  std::vector<std::size_t> positions_of(std::span<const Splitter> splitters);
  PeerRun run(std::size_t begin, std::size_t end) const;
  PeerRun here(const PeerRun& run, std::size_t index, bool is_alone);
  PeerRun merged(const PeerRun& a, const PeerRun& b);
  std::vector<PeerRun> last_runs(std::span<const PeerRun> runs);
  // Enqueues the merge of a segment of the outputs.
  void merge_segment(std::span<const PeerRun> two, const RecordSpan& segment, void* scratch);
  void merge_and_send(const Range& range);
  void receive_and_order_values();
  void send_values(std::span<const PeerRun> runs);
  void finish();
  double link_rate() const;
  SortArguments outputs(std::size_t first, std::size_t count) const;
  bool is_own(const PeerRun& run) const;

  const SortArguments& arguments_;
  const RecordSpan slice_;
  const RecordSize size_;
  const std::vector<RecordSpan> chunks_;  // The slice, cut.
  SortReport report_;
  SortLink link_;
  const Records uploaded_;
  const Records sorted_;
  Records run_{};               // The sorted slice.
  std::vector<Event> uploads_;  // One for each chunk of keys.
  struct ValueSegment {
    RecordSpan values;
    Event upload;
  };
  std::vector<ValueSegment> value_segments_;
  void* values_ = nullptr;    // The slice's values in the order of the input,
  void* in_order_ = nullptr;  // and in that of its sorted keys.
  SortArguments outputs_{};   // Arguments of the download; outlives it.
  Records merged_{};          // The merged records; for pairs with their indices in the runs.
  std::optional<KeyDownload> keys_;  // Absent if there is nothing to merge.
  std::optional<KeyDownload::Sent> sent_keys_;
  std::optional<KeyDownload::Received> received_keys_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_PEER_PARTITION_H_

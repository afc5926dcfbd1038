// SPDX-License-Identifier: Apache-2.0

// Values that follow their sorted keys: uploaded in the order of the input, downloaded in the
// keys'.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_stage.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/host/host_threads.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::radix_sort {

// Uploads values and downloads them in the order of sorted keys. For the first outputs, the values
// of the first part of the input, the early ones, may be downloaded while the others are uploaded;
// the host interleaves both by a mask. Each call returns the object that has the next one:
//
//   ValueDownload values(link, arguments, may_be_early, segments);
//   ValueDownload::Uploading uploading = values.upload();
//   std::move(uploading).prepare(indices, has_early).send().receive();
//
// These objects refer to the download, which outlives them.
class ValueDownload {
 public:
  // The downloads are enqueued.
  class Sent : SortStage<ValueDownload> {
   public:
    // Returns when the host has the values.
    void receive() && { take().receive(); }

   private:
    friend ValueDownload;
    explicit Sent(ValueDownload& values) : SortStage(values) {}
  };

  // The device finds the early values.
  class Prepared : SortStage<ValueDownload> {
   public:
    // Enqueues the downloads, after all that prepare() gave the link.
    [[nodiscard]] Sent send() && {
      ValueDownload& values = take();
      values.send();
      return Sent(values);
    }

   private:
    friend ValueDownload;
    explicit Prepared(ValueDownload& values) : SortStage(values) {}
  };

  // The uploads are enqueued.
  class Uploading : SortStage<ValueDownload> {
   public:
    // Enqueues the steps that find the early values, if any: output i is value indices[i], in
    // device memory.
    [[nodiscard]] Prepared prepare(const std::uint32_t* indices, bool has_early) && {
      ValueDownload& values = take();
      values.prepare(indices, has_early);
      return Prepared(values);
    }

   private:
    friend ValueDownload;
    explicit Uploading(ValueDownload& values) : SortStage(values) {}
  };

  // Takes the memory it needs, which is more if there may be early values. `most_segments` is that
  // of HostArraySortOptions.
  ValueDownload(SortLink& link, const SortArguments& arguments, bool may_be_early,
                std::size_t most_segments);

  // Enqueues the uploads.
  [[nodiscard]] Uploading upload();

 private:
  // Interleaved outputs.
  struct Segment {
    RecordSpan tiles;
    Event arrived = {};
  };

  void prepare(const std::uint32_t* indices, bool has_early);
  void send();
  void receive();

  // Sends the late values of interleaved outputs.
  void send_late();

  // Sends the outputs from `first` on, which are not interleaved.
  void send_in_order(std::size_t first);

  template <class Value>
  void start_interleaving(const RecordSpan& tiles);

  // Returns the step that gathers early or late values of some tiles of the interleaved outputs.
  TileGatherStep gather_step(bool early, const RecordSpan& tiles, void* out) const;

  // Returns the most segments for a plan of this many outputs.
  std::size_t most_segments_for(std::size_t outputs) const;

  // Return the number of late values before an interleaved tile, and of all early ones. Valid once
  // the host has the starts.
  std::size_t late_before(std::size_t tile) const;
  std::size_t early() const { return host_starts_[tiles()]; }

  std::size_t count() const { return arguments_.count; }
  std::size_t value_bytes() const { return arguments_.value_bytes; }
  std::size_t tiles() const { return interleaved_ / kSplitTile; }
  std::byte* value_at(void* values, std::size_t index) const {
    return static_cast<std::byte*>(values) + value_bytes() * index;
  }

  SortLink& link_;
  const SortArguments& arguments_;
  const std::size_t most_segments_;
  const std::size_t interleaved_;    // The first outputs, whole tiles: early and late values.
  const std::uint32_t early_limit_;  // Number of early values in the input.
  const std::uint32_t* indices_ = nullptr;
  void* values_;    // Device memory, in the order of the input.
  void* gathered_;  // In order; of interleaved outputs the early ones, then the others.
  EarlyOutputs outputs_;
  std::uint32_t* host_mask_ = nullptr;    // outputs_.mask in pinned memory.
  std::uint32_t* host_starts_ = nullptr;  // outputs_.tile_starts in pinned memory.
  void* host_values_ = nullptr;           // Early and late values in pinned memory.
  bool interleaves_ = false;
  Event early_uploaded_;
  Event all_uploaded_;
  Event starts_downloaded_;
  Event early_gathered_;
  Event all_downloaded_;
  std::vector<Segment> interleaved_segments_;
  HostJobs jobs_{HostThreads::shared()};  // Ends before what it uses.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_VALUE_DOWNLOAD_H_

// SPDX-License-Identifier: Apache-2.0

// Downloads sorted keys to the host.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_

#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_stage.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/stream/codec.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::radix_sort {

// Downloads keys in segments, coded where that makes them smaller; threads of the host decode a
// segment while the next ones arrive. Where those threads are slower than the link, the last keys
// of sorts without values are sent raw meanwhile. Each call returns the object that has the next
// one:
//
//   KeyDownload download(link, arguments, options, threads);
//   KeyDownload::Preparing segments = download.prepare(keys);
//   while (const RecordSpan* const segment = segments.next()) {
//     merge(*segment);
//     segments.add_next();
//   }
//   KeyDownload::Sent sent = std::move(segments).finish().send(last_upload);
//   KeyDownload::Complete complete = std::move(sent).receive().finish();
//   std::move(complete).record_rates(bytes_per_second);
//
// These objects refer to the download, which outlives them.
class KeyDownload {
 public:
  // The keys are complete.
  class Complete : SortStage<KeyDownload> {
   public:
    // Adds what was measured, and the link's rate, to what later sorts choose by.
    void record_rates(double link_bytes_per_second) && {
      take().record_rates(link_bytes_per_second);
    }

   private:
    friend KeyDownload;
    explicit Complete(KeyDownload& download) : SortStage(download) {}
  };

  // The last segment has arrived; threads decode.
  class Received : SortStage<KeyDownload> {
   public:
    // Returns when all keys are decoded.
    [[nodiscard]] Complete finish() && {
      KeyDownload& download = take();
      download.jobs_.wait();
      return Complete(download);
    }

   private:
    friend KeyDownload;
    explicit Received(KeyDownload& download) : SortStage(download) {}
  };

  // The copies are enqueued.
  class Sent : SortStage<KeyDownload> {
   public:
    // Returns true if all keys are coded.
    bool is_coded() const { return owner().is_coded(); }

    // Waits for the last segment, and starts to decode it.
    [[nodiscard]] Received receive() && {
      KeyDownload& download = take();
      download.receive();
      return Received(download);
    }

   private:
    friend KeyDownload;
    explicit Sent(KeyDownload& download) : SortStage(download) {}
  };

  // The device's work is enqueued.
  class Prepared : SortStage<KeyDownload> {
   public:
    // Enqueues the copies of coded keys, whose sizes the host learns first, and decodes all but the
    // last segment as they arrive. `all_are_up` is the end of the keys' uploads: the host's threads
    // poll for the first segment from then on, if they attend at all, because it arrives within a
    // millisecond.
    [[nodiscard]] Sent send(const Event& all_are_up) && {
      KeyDownload& download = take();
      download.keep_polling(all_are_up);
      download.send();
      return Sent(download);
    }

   private:
    friend KeyDownload;
    explicit Prepared(KeyDownload& download) : SortStage(download) {}
  };

  // The device's work on some of the segments is enqueued.
  class Preparing : SortStage<KeyDownload> {
   public:
    // Returns the records of the next segment; null: there are no more.
    const RecordSpan* next() const {
      const KeyDownload& download = owner();
      const bool is_there = download.prepared_segments_ < download.segments_.size();
      return is_there ? &download.segments_[download.prepared_segments_].keys : nullptr;
    }

    // Enqueues the work on the next segment, behind the work that puts its keys in order. Takes the
    // memory it needs.
    void add_next() const { owner().prepare_segment(owner().prepared_segments_++); }

    // All segments are added.
    [[nodiscard]] Prepared finish() && { return Prepared(take()); }

   private:
    friend KeyDownload;
    explicit Preparing(KeyDownload& download) : SortStage(download) {}
  };

  // Chooses whether to code. The keys go to the arguments' keys_out; null: nowhere. At most
  // `threads` of the host decode at once, 0: all.
  KeyDownload(SortLink& link, const SortArguments& arguments, const HostArraySortOptions& options,
              int threads);

  // Returns true if keys may be coded.
  bool may_code() const { return codec_ != nullptr; }

  // Begins with `keys`, which are in device memory and will be changed.
  [[nodiscard]] Preparing prepare(void* keys) {
    keys_ = keys;
    return Preparing(*this);
  }

 private:
  struct Segment {
    RecordSpan keys;
    std::byte* coded_on_device = nullptr;
    std::byte* coded = nullptr;     // Points to pinned memory.
    CodecResult* result = nullptr;  // Null if the segment is sent raw.
    Event ready = {};               // The segment may be sent.
    Event arrived = {};
    bool is_coded = false;
  };

  void plan(double raw_fraction, std::size_t most_segments);
  void prepare_segment(std::size_t segment);
  void take_memory();

  // Waits for all keys to be on the device and has the host's threads poll, unless the sort has
  // values or pageable memory: then they have other work.
  void keep_polling(const Event& all_are_up);

  void send();
  void receive();
  void record_rates(double link_bytes_per_second) const;
  bool is_coded() const;

  // Returns the bytes of memory for so many coded keys, a multiple of the codec's alignment.
  std::size_t capacity_for(std::size_t keys) const;

  bool wants_keys() const { return arguments_.keys_out != nullptr; }

  // Enqueue the work on raw keys before they are sent, and their copy.
  void make_raw(Segment& segment);
  void send_raw(Segment& segment);

  // Returns true if the sorted bits differ from those of the keys.
  bool maps() const;

  // Goes on receiving until the memory of a segment's coded keys holds no other segment's.
  void wait_for_memory(std::size_t segment);

  // Begins to decode those segments before `before` that have arrived.
  void receive_arrived(std::size_t before);

  void receive(const Segment& segment);
  template <class Bits>
  void start_decoding(const Segment& segment);

  std::byte* key_at(void* keys, std::size_t index) const {
    return static_cast<std::byte*>(keys) + key_bytes_ * index;
  }

  SortLink& link_;
  const SortArguments& arguments_;
  const std::size_t key_bytes_;
  const Codec* codec_ = nullptr;  // Null if all keys are sent raw.
  void* keys_ = nullptr;
  void* scratch_ = nullptr;
  std::vector<Segment> segments_;
  std::size_t prepared_segments_ = 0;                 // Work on them is enqueued.
  std::size_t coded_segments_ = 0;                    // The first of all, if there is a codec.
  std::size_t received_ = 0;                          // Segments whose decoding has begun.
  std::size_t memories_ = 0;                          // Buffers that coded segments reuse in turn.
  std::vector<std::atomic<int>> jobs_left_;           // Decoding jobs left, by coded segment.
  Event prepared_;                                    // The keys are in order.
  const int threads_;                                 // Threads that decode.
  const bool attends_;                                // True if they poll instead of sleeping.
  const std::size_t most_memories_;                   // Limit of memories_; 0: chosen.
  std::atomic<std::int64_t> decode_nanoseconds_ = 0;  // Sum over all threads.
  HostJobs jobs_;                                     // Ends before what it uses.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_

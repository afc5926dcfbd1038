// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/algorithms/radix_sort/stream/value_download.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Returns the size of a record on the device: a key, with an index where there are values.
RecordSize sorted_size(const SortArguments& arguments) {
  const std::size_t key = key_bytes(arguments.key_type);
  if (arguments.is_argsort) return {key, arguments.value_bytes};
  return {key, arguments.value_bytes == 0 ? std::size_t{0} : sizeof(std::uint32_t)};
}

class StreamedSort {
 public:
  // Enqueues the uploads of all keys.
  StreamedSort(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
               std::size_t first_index, const HostArraySortOptions& options, SortReport& report)
      : arguments_(arguments),
        options_(options),
        first_index_(first_index),
        size_(sorted_size(arguments)),
        maps_(!KeyBits<std::uint64_t>::of(arguments.key_type, arguments.order).is_identity()),
        chunks_(plan_key_chunks(arguments.count, size_.key, options.chunks, arguments.space)),
        link_(queue, steps, report),
        uploaded_(link_.memory().take_records(size_, arguments.count)),
        began_(link_.record_up()) {
    // The sort waits for the link, so the first upload begins before other memory is taken.
    upload(chunks_.front());
    sorted_ = link_.memory().take_records(size_, arguments.count);
    if (chunks_.size() > 2) spare_ = link_.memory().take_records(size_, arguments.count);
    scratch_ = link_.memory().take(MemorySpace::kDevice,
                                   steps.scratch_bytes(queue, size_, arguments.count));
    for (std::size_t i = 1; i < chunks_.size(); ++i) upload(chunks_[i]);
  }

  void run() {
    KeyDownload keys(link_, arguments_, options_, decoding_threads());
    if (has_values()) {
      ValueDownload values(link_, arguments_, keys.may_code(), options_.segments);
      run_pairs(keys, values);
    } else {
      run_keys(keys);
    }
  }

 private:
  bool has_values() const { return arguments_.value_bytes > 0 && !arguments_.is_argsort; }

  int decoding_threads() const {
    return options_.threads > 0
               ? options_.threads
               : plan_decoding_threads(HostThreads::shared().count(), has_values());
  }

  // Sorts keys, or keys with their indices.
  void run_keys(KeyDownload& keys) {
    const PendingMerge last = sort_keys();
    complete(prepare(keys, last).send(uploads_.back()).receive());
  }

  // Values are uploaded while keys are downloaded.
  void run_pairs(KeyDownload& keys, ValueDownload& values) {
    const PendingMerge last = sort_keys();
    ValueDownload::Uploading uploading = values.upload();
    KeyDownload::Sent sent = prepare(keys, last).send(uploads_.back());
    ValueDownload::Prepared prepared = std::move(uploading).prepare(
        static_cast<const std::uint32_t*>(last.out.values), sent.is_coded());
    KeyDownload::Received received = std::move(sent).receive();
    std::move(prepared).send().receive();
    complete(std::move(received));
  }

  void complete(KeyDownload::Received received) {
    KeyDownload::Complete keys = std::move(received).finish();
    link_.wait();
    std::move(keys).record_rates(link_rate());
  }

  // The merge of all chunks before the last one with that one. If there is one chunk, `last` is
  // empty and `out` is the run.
  struct PendingMerge {
    Records run;
    RecordSpan last;
    Records out;
  };

  // Merges a segment of the outputs at a time, so that each is downloaded while the next is merged.
  KeyDownload::Prepared prepare(KeyDownload& keys, const PendingMerge& last) {
    KeyDownload::Preparing segments = keys.prepare(last.out.keys);
    while (const RecordSpan* const segment = segments.next()) {
      merge(last, *segment);
      if (arguments_.is_argsort) send_indices(last.out.values, *segment);
      segments.add_next();
    }
    return std::move(segments).finish();
  }

  // Enqueues all but the last merge. Once a chunk is sorted, `uploaded_` is free for merged runs up
  // to the end of that chunk.
  PendingMerge sort_keys() {
    Records run = sorted_;
    Records next = uploaded_;
    Records after_next = spare_;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const RecordSpan& chunk = chunks_[i];
      link_.compute().wait_for(uploads_[i]);
      sort_chunk(chunk);
      if (i == 0) continue;
      const PendingMerge pending{run, chunk, next};
      if (chunk.end() == arguments_.count) return pending;
      merge(pending, {0, chunk.end()});
      run = next;
      std::swap(next, after_next);
    }
    return {run, {}, run};
  }

  void merge(const PendingMerge& runs, const RecordSpan& outputs) {
    if (runs.last.count == 0) return;
    link_.steps().merge(link_.compute(),
                        {.size = size_,
                         .a = {runs.run, runs.last.first},
                         .b = {advance(sorted_, size_, runs.last.first), runs.last.count},
                         .out = runs.out,
                         .first = outputs.first,
                         .count = outputs.count,
                         .scratch = scratch_});
  }

  void upload(const RecordSpan& chunk) {
    const auto* const keys = static_cast<const std::byte*>(arguments_.keys_in);
    link_.copy_up(advance(uploaded_, size_, chunk.first).keys, keys + size_.key * chunk.first,
                  size_.key * chunk.count);
    uploads_.push_back(link_.record_up());
  }

  void sort_chunk(const RecordSpan& chunk) {
    const Records in = advance(uploaded_, size_, chunk.first);
    if (maps_) {
      link_.steps().map_keys(link_.compute(), {.type = arguments_.key_type,
                                               .order = arguments_.order,
                                               .to_ordered = true,
                                               .from = in.keys,
                                               .to = in.keys,
                                               .count = chunk.count});
    }
    if (size_.value > 0) {
      const std::size_t first = arguments_.is_argsort ? first_index_ : 0;
      link_.steps().number(link_.compute(), size_.value, in.values, first + chunk.first,
                           chunk.count);
    }
    link_.steps().sort(link_.compute(), {.size = size_,
                                         .key_bits = size_.key_bits(),
                                         .in = {in, chunk.count},
                                         .out = advance(sorted_, size_, chunk.first),
                                         .scratch = scratch_});
  }

  // Returns the rate in bytes a second of the chunks after the first, or of the only one.
  double link_rate() const {
    const bool is_one = chunks_.size() == 1;
    const Event& begin = is_one ? began_ : uploads_.front();
    const std::chrono::duration<double> time = uploads_.back().reached_at() - begin.reached_at();
    const std::size_t count = arguments_.count - (is_one ? 0 : chunks_.front().count);
    return time.count() > 0 ? static_cast<double>(size_.key * count) / time.count() : 0;
  }

  void send_indices(void* indices, const RecordSpan& segment) {
    const std::size_t first = arguments_.value_bytes * segment.first;
    link_.down_after_compute();
    link_.copy_down(static_cast<std::byte*>(arguments_.values_out) + first,
                    static_cast<std::byte*>(indices) + first,
                    arguments_.value_bytes * segment.count);
  }

  const SortArguments& arguments_;
  const HostArraySortOptions& options_;
  const std::size_t first_index_;
  const RecordSize size_;
  const bool maps_;                       // True if the sorted bits differ from those of the keys.
  const std::vector<RecordSpan> chunks_;  // Uploaded one after another.
  SortLink link_;
  const Records uploaded_;  // Each record at its index in the input.
  const Event began_;
  std::vector<Event> uploads_;  // One for each chunk.
  Records sorted_;              // Each chunk sorted by itself.
  Records spare_;
  void* scratch_ = nullptr;
};

}  // namespace

void sort_streamed(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                   std::size_t first_index, const HostArraySortOptions& options,
                   SortReport& report) {
  StreamedSort(queue, steps, arguments, first_index, options, report).run();
}

}  // namespace millrace::radix_sort

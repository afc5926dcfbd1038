// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/streamed_sort.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/algorithms/radix_sort/stream/value_download.h>
#include <millrace/runtime/host/host_threads.h>

namespace millrace::radix_sort {
namespace {

// What is sorted on the device: the keys, with an index where there are values.
RecordSize sorted_size(const SortArguments& arguments) {
  const std::size_t key = key_bytes(arguments.key_type);
  if (arguments.is_argsort) return {key, arguments.value_bytes};
  return {key, arguments.value_bytes == 0 ? std::size_t{0} : sizeof(std::uint32_t)};
}

class StreamedSort {
 public:
  StreamedSort(Queue& queue, const SortArguments& arguments, std::size_t first_index,
               const HostSortOptions& options, SortReport& report)
      : arguments_(arguments),
        first_index_(first_index),
        size_(sorted_size(arguments)),
        maps_(!KeyBits<std::uint64_t>::of(arguments.key_type, arguments.order).is_identity()),
        chunks_(plan_key_chunks(arguments.count, size_.key, options.chunks, arguments.space)),
        link_(queue, report),
        uploaded_(link_.memory().take_records(size_, arguments.count)),
        began_(link_.record_up()) {
    // Before all else: it is the link that the sort waits for. The others once there is memory.
    bring_up(chunks_.front());
    sorted_ = link_.memory().take_records(size_, arguments.count);
    if (chunks_.size() > 2) spare_ = link_.memory().take_records(size_, arguments.count);
    scratch_ = link_.memory().take(MemorySpace::kDevice,
                                   link_.steps().scratch_bytes(queue, size_, arguments.count));
    for (std::size_t i = 1; i < chunks_.size(); ++i) bring_up(chunks_[i]);
    const int threads = plan_decoding_threads(HostThreads::shared().count(), has_values());
    keys_down_.emplace(link_, arguments, options, options.threads > 0 ? options.threads : threads);
    if (has_values()) {
      values_down_.emplace(link_, arguments, keys_down_->may_code(), options.segments);
    }
  }

  void run() {
    const PendingMerge last = sort_keys();
    if (has_values()) values_down_->bring_up();
    for (std::size_t i = 0; i < keys_down_->segments(); ++i) {
      merge(last, keys_down_->segment(i));
      if (arguments_.is_argsort) send_indices(last.out.values, keys_down_->segment(i));
      keys_down_->prepare(last.out.keys, i);
    }
    keys_down_->attend(uploads_.back());
    keys_down_->send();
    if (has_values()) {
      values_down_->prepare(static_cast<const std::uint32_t*>(last.out.values),
                            keys_down_->is_coded());
    }
    keys_down_->receive();
    if (has_values()) {
      values_down_->send();
      values_down_->receive();
    }
    keys_down_->finish();
    link_.wait();
    keys_down_->learn(link_rate());
  }

 private:
  bool has_values() const { return arguments_.value_bytes > 0 && !arguments_.is_argsort; }

  // Of all before the last chunk and the last; without a second run where there is one chunk.
  struct PendingMerge {
    Records run;
    Chunk last;
    Records out;
  };

  // Enqueues all but the last merge. What is in `uploaded_` before the end of a chunk that has been
  // sorted is free for merged runs.
  PendingMerge sort_keys() {
    Records run = sorted_;
    Records next = uploaded_;
    Records after_next = spare_;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const Chunk& chunk = chunks_[i];
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

  void merge(const PendingMerge& runs, const Chunk& outputs) {
    if (runs.last.count == 0) return;
    link_.steps().merge(link_.compute(), size_, runs.run, runs.last.first,
                        advance(sorted_, size_, runs.last.first), runs.last.count, runs.out,
                        outputs.first, outputs.count, scratch_);
  }

  void bring_up(const Chunk& chunk) {
    const auto* const keys = static_cast<const std::byte*>(arguments_.keys_in);
    link_.copy_up(advance(uploaded_, size_, chunk.first).keys, keys + size_.key * chunk.first,
                  size_.key * chunk.count);
    uploads_.push_back(link_.record_up());
  }

  void sort_chunk(const Chunk& chunk) {
    const Records in = advance(uploaded_, size_, chunk.first);
    if (maps_) {
      link_.steps().map_keys(link_.compute(), arguments_.key_type, arguments_.order, true, in.keys,
                             in.keys, chunk.count);
    }
    if (size_.value > 0) {
      const std::size_t first = arguments_.is_argsort ? first_index_ : 0;
      link_.steps().number(link_.compute(), size_.value, in.values, first + chunk.first,
                           chunk.count);
    }
    link_.steps().sort(link_.compute(), size_, size_.key_bits(), in,
                       advance(sorted_, size_, chunk.first), chunk.count, scratch_);
  }

  // Bytes a second of the chunks after the first, or of the only one.
  double link_rate() const {
    const bool is_one = chunks_.size() == 1;
    const Event& begin = is_one ? began_ : uploads_.front();
    const std::chrono::duration<double> time = uploads_.back().reached_at() - begin.reached_at();
    const std::size_t count = arguments_.count - (is_one ? 0 : chunks_.front().count);
    return time.count() > 0 ? static_cast<double>(size_.key * count) / time.count() : 0;
  }

  void send_indices(void* indices, const Chunk& part) {
    const std::size_t first = arguments_.value_bytes * part.first;
    link_.down_after_compute();
    link_.copy_down(static_cast<std::byte*>(arguments_.values_out) + first,
                    static_cast<std::byte*>(indices) + first, arguments_.value_bytes * part.count);
  }

  const SortArguments& arguments_;
  const std::size_t first_index_;
  const RecordSize size_;
  const bool maps_;                  // Whether the keys are other bits than those sorted.
  const std::vector<Chunk> chunks_;  // On the way up.
  SortLink link_;
  const Records uploaded_;  // Each record where it is in the input.
  const Event began_;
  std::vector<Event> uploads_;  // Each chunk's.
  Records sorted_;  // Each chunk sorted by itself, or what there is of it when that is all.
  Records spare_;
  void* scratch_ = nullptr;
  std::optional<KeysDown> keys_down_;
  std::optional<ValuesDown> values_down_;
};

}  // namespace

void sort_streamed(Queue& queue, const SortArguments& arguments, std::size_t first_index,
                   const HostSortOptions& options, SortReport& report) {
  StreamedSort(queue, arguments, first_index, options, report).run();
}

}  // namespace millrace::radix_sort

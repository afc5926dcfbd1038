// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/paper/paper_sort.h>
#include <millrace/algorithms/radix_sort/paper/split_bucket.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/runtime/host/seconds_since.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDigits = std::size_t{1} << kPaperDigitBits;

class PaperSort {
 public:
  PaperSort(Queue& queue, const SortArguments& arguments, PaperSortScheme scheme,
            SortReport& report, PaperSortProfile* profile)
      : arguments_(arguments),
        scheme_(scheme),
        profile_(profile),
        size_{key_bytes(arguments.key_type), arguments.value_bytes},
        maps_(!KeyBits<std::uint64_t>::of(arguments.key_type, arguments.order).is_identity()),
        limits_(arguments.count),
        link_(queue, sort_steps_of(queue), report),
        sides_{link_.memory().take_records(size_, arguments.count),
               link_.memory().take_records(size_, arguments.count)},
        second_(queue.device().make_queue()),
        queues_{&queue, second_.get()} {
    const std::size_t scratch_bytes = link_.steps().partition_scratch_bytes(queue);
    for (void*& scratch : scratch_)
      scratch = link_.memory().take(MemorySpace::kDevice, scratch_bytes);
    // Fewer than kDigits buckets have more than twice the average.
    starts_ = link_.memory().take_array<std::uint32_t>(MemorySpace::kPinned, kDigits * kDigits);
  }

  void run() {
    upload();
    const Bucket all{0, arguments_.count, static_cast<int>(8 * size_.key), 0};
    std::vector<Bucket> buckets{all};
    if (scheme_ == PaperSortScheme::kModified) buckets = balanced_buckets(all);
    link_.report().buckets = buckets.size();
    const Event balanced = link_.compute().record();
    second_->wait_for(balanced);
    for (std::size_t i = 0; i < buckets.size(); ++i) sort_bucket(buckets[i], i % queues_.size());
    second_->wait();
    link_.wait();
  }

 private:
  void upload() {
    const Clock::time_point start = Clock::now();
    link_.copy_up(sides_[0].keys, arguments_.keys_in, size_.key * arguments_.count);
    if (size_.value > 0 && !arguments_.is_argsort) {
      link_.copy_up(sides_[0].values, arguments_.values_in, size_.value * arguments_.count);
    }
    link_.compute_after_up();
    if (profile_ != nullptr) {
      link_.wait();
      profile_->upload += seconds_since(start);
    }
    if (arguments_.is_argsort) {
      link_.steps().number(link_.compute(), size_.value, sides_[0].values, 0, arguments_.count);
    }
    if (maps_) {
      map_keys(link_.compute(), true, sides_[0].keys, arguments_.count);
    }
  }

  void map_keys(Queue& queue, bool to_ordered, void* keys, std::size_t count) const {
    link_.steps().map_keys(queue, {.type = arguments_.key_type,
                                   .order = arguments_.order,
                                   .to_ordered = to_ordered,
                                   .from = keys,
                                   .to = keys,
                                   .count = count});
  }

  // Splits buckets until none is too large.
  std::vector<Bucket> balanced_buckets(const Bucket& all) {
    enqueue_split(all, 0);
    link_.wait_for(link_.compute().record());
    const Clock::time_point start = Clock::now();
    std::vector<Bucket> buckets = split_bucket(all, starts_of(0), limits_);
    if (profile_ != nullptr) profile_->bucketing += seconds_since(start);
    while (true) {
      std::size_t splits = 0;
      for (const Bucket& bucket : buckets) {
        if (limits_.is_too_large(bucket)) enqueue_split(bucket, splits++);
      }
      if (splits == 0) return buckets;
      link_.wait_for(link_.compute().record());
      buckets = split_too_large(buckets);
    }
  }

  std::vector<Bucket> split_too_large(const std::vector<Bucket>& buckets) {
    const Clock::time_point start = Clock::now();
    std::vector<Bucket> result;
    std::size_t splits = 0;
    for (const Bucket& bucket : buckets) {
      if (limits_.is_too_large(bucket)) {
        const auto smaller = split_bucket(bucket, starts_of(splits++), limits_);
        result.insert(result.end(), smaller.begin(), smaller.end());
      } else {
        result.push_back(bucket);
      }
    }
    if (profile_ != nullptr) profile_->balance += seconds_since(start);
    return result;
  }

  void enqueue_split(const Bucket& bucket, std::size_t split) {
    ++link_.report().partitions;
    pass(bucket, bucket.bits - kPaperDigitBits, 0, starts_ + kDigits * split);
  }

  std::span<const std::uint32_t> starts_of(std::size_t split) const {
    return {starts_ + kDigits * split, kDigits};
  }

  // Enqueues a pass over a bucket from its side to the other.
  void pass(const Bucket& bucket, int first_bit, std::size_t queue, std::uint32_t* starts) {
    link_.steps().partition(
        *queues_[queue], {.size = size_,
                          .pass = {first_bit, kPaperDigitBits},
                          .in = {advance(sides_[bucket.side], size_, bucket.first), bucket.count},
                          .out = advance(sides_[1 - bucket.side], size_, bucket.first),
                          .scratch = scratch_[queue],
                          .starts = starts,
                          .times = profile_ == nullptr ? nullptr : &profile_->passes});
  }

  void sort_bucket(Bucket bucket, std::size_t queue) {
    for (int bit = 0; bit < bucket.bits && bucket.count > 1; bit += kPaperDigitBits) {
      pass(bucket, bit, queue, nullptr);
      bucket.side = 1 - bucket.side;
    }
    const Records sorted = advance(sides_[bucket.side], size_, bucket.first);
    if (maps_) {
      map_keys(*queues_[queue], false, sorted.keys, bucket.count);
    }
    if (profile_ != nullptr) queues_[queue]->wait();
    const Clock::time_point start = Clock::now();
    link_.down_after(*queues_[queue]);
    download(arguments_.keys_out, sorted.keys, size_.key, bucket);
    download(arguments_.values_out, sorted.values, size_.value, bucket);
    if (profile_ != nullptr) {
      link_.wait();
      profile_->download += seconds_since(start);
    }
  }

  void download(void* to, const void* from, std::size_t element_bytes, const Bucket& bucket) {
    if (to == nullptr) return;
    link_.copy_down(static_cast<std::byte*>(to) + element_bytes * bucket.first, from,
                    element_bytes * bucket.count);
  }

  const SortArguments& arguments_;
  const PaperSortScheme scheme_;
  PaperSortProfile* const profile_;
  const RecordSize size_;
  const bool maps_;  // True if the sorted bits differ from those of the keys.
  const BucketLimits limits_;
  SortLink link_;
  const std::array<Records, 2> sides_;
  std::uint32_t* starts_;
  std::array<void*, 2> scratch_;  // One for each queue.
  const std::unique_ptr<Queue> second_;
  const std::array<Queue*, 2> queues_;
};

}  // namespace

void sort_as_paper(Queue& queue, const SortArguments& arguments, PaperSortScheme scheme,
                   SortReport& report, PaperSortProfile* profile) {
  PaperSort(queue, arguments, scheme, report, profile).run();
}

}  // namespace millrace::radix_sort

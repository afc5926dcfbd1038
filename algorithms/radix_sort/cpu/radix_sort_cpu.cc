// SPDX-License-Identifier: Apache-2.0

// Radix sort on the CPU: partitions in memory, buckets in the caches, both by tasks. Skewed keys
// are partitioned by splitters from a sample, others by their highest digit; some ten or hundred
// thousand keys without values by pivots. Fewer records are sorted by the calling thread, without
// tasks, memory of the device's pools or operations of the queue.
#include <millrace/algorithms/radix_sort/cpu/bucket_plan.h>
#include <millrace/algorithms/radix_sort/cpu/bucket_tasks.h>
#include <millrace/algorithms/radix_sort/cpu/digit_partition.h>
#include <millrace/algorithms/radix_sort/cpu/key_sample.h>
#include <millrace/algorithms/radix_sort/cpu/quick_sort_choice.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>
#include <millrace/algorithms/radix_sort/cpu/small_sort.h>
#include <millrace/algorithms/radix_sort/cpu/sort_range.h>
#include <millrace/algorithms/radix_sort/cpu/thread_scratch.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>

namespace millrace::radix_sort {
namespace {

using Memory = ElementRange::Memory;

// Largest part of the last-level cache that a sort counts on: processors report the cache of many
// cores. Past the caches 1e7 keys take 0.88 of the time on an Emerald Rapids whose 260 MiB would
// hold them (docs/experiments/cpu_sort_bucket_size.md).
constexpr std::size_t kMostCacheBytes = std::size_t{32} << 20;

template <class K, class V>
class CpuSort final : public BucketSteps {
  static constexpr bool kHasValues = !std::is_same_v<V, NoValue>;
  static constexpr std::size_t kMostInBucket = BucketPlan::kMostBucketBytes / sizeof(Element<K, V>);

 public:
  CpuSort(Queue& queue, const SortArguments& arguments, int threads)
      : device_(queue.device().shared_from_this()),
        threads_(threads),
        count_(arguments.count),
        plan_(count_, threads_, sizeof(Element<K, V>)),
        bits_(KeyBits<K>::of(arguments.key_type, arguments.order)),
        input_{static_cast<const K*>(arguments.keys_in),
               static_cast<const V*>(arguments.values_in)},
        output_{static_cast<K*>(arguments.keys_out), static_cast<V*>(arguments.values_out)},
        is_streaming_(count_ * (sizeof(K) + kValueBytes<V>) >
                      std::min(cpu::last_level_cache_bytes(), kMostCacheBytes) / 2) {
    if (output_.keys == nullptr) {
      unwanted_keys_ = Buffer<K>(device_->pool(MemorySpace::kHost), count_);
      output_.keys = unwanted_keys_.data();
    }
  }

  void run(Queue& queue, Policy policy, SortReport& report) {
    TaskList<BucketTasks> roots;
    const bool in_place =
        output_.keys == input_.keys || (kHasValues && output_.values == input_.values);
    if (should_split()) {
      roots.push(SplitRange{this, {0, count_, Memory::kInput}, plan_.split_levels()});
    } else {
      partition({0, count_, Memory::kInput}, in_place ? Memory::kSpare : Memory::kOutput, roots);
    }
    const RunReport run = run_tasks(queue, roots, {.policy = policy});
    report.policy = run.policy;
    report.partitions = partitions_.size() + run.tasks_by_type[BucketTasks::tag_of<SplitRange>()];
    report.buckets = run.tasks_by_type[BucketTasks::tag_of<SortBucket>()];
  }

  void count(DigitPartition& partition, std::size_t chunk, TaskList<BucketTasks>& next) override {
    const std::size_t begin = partition.chunk_begin(chunk);
    if (partition.is_by_splitters) {
      kernels<K, V>().classify({.splitters = &splitters_,
                                .keys = keys_in(partition.range.memory) + begin,
                                .count = partition.chunk_size(chunk),
                                .bits = bits_in(partition.range.memory),
                                .buckets = bucket_numbers_.data() + begin,
                                .counts = partition.counts_of(chunk)});
      if (partition.finish_chunk()) start_scattering(partition, next);
      return;
    }
    partition.differing |= kernels<K, V>().count({.keys = keys_in(partition.range.memory) + begin,
                                                  .count = partition.chunk_size(chunk),
                                                  .bits = bits_in(partition.range.memory),
                                                  .digit = partition.digit,
                                                  .reference = static_cast<K>(partition.reference),
                                                  .counts = partition.counts_of(chunk)});
    if (partition.finish_chunk()) after_counting(partition, next);
  }

  void scatter(DigitPartition& partition, std::size_t chunk, TaskList<BucketTasks>& next) override {
    const std::size_t begin = partition.chunk_begin(chunk);
    const Memory memory = partition.range.memory;
    const Arrays to = arrays(partition.to);
    kernels<K, V>().scatter(
        {.keys = keys_in(memory) + begin,
         .values = values_in(memory, begin),
         .first_index = begin,
         .count = partition.chunk_size(chunk),
         .bits = bits_in(memory),
         .digit = partition.digit,
         .buckets = partition.is_by_splitters ? bucket_numbers_.data() + begin : nullptr,
         .next_indices = partition.next_indices_of(chunk),
         .keys_to = to.keys,
         .values_to = to.values,
         .is_streaming = is_streaming_,
         .scratch = thread_scratch(kScatterScratchBytes)});
    if (partition.finish_chunk()) after_scattering(partition, next);
  }

  void split(const ElementRange& range, int levels, TaskList<BucketTasks>& next) override {
    const K* const keys = keys_in(range.memory) + range.begin;
    K* const keys_to = output_.keys + range.begin;
    KeyBits<K> bits = bits_in(range.memory);
    const K pivot = sampled_median(range);
    if (keys == keys_to && !bits.is_identity()) {
      kernels<K, V>().order(keys, range.size(), std::exchange(bits, {}), keys_to);
    }
    const std::size_t in_front = kernels<K, V>().split(
        {.keys = keys, .count = range.size(), .bits = bits, .pivot = pivot, .keys_to = keys_to});
    const std::size_t middle = range.begin + in_front;
    push_split({range.begin, middle, Memory::kOutput}, levels - 1, next);
    push_split({middle, range.end, Memory::kOutput}, levels - 1, next);
  }

  void sort(const ElementRange& bucket) override {
    sort_range<K, V>({.keys = keys_in(bucket.memory) + bucket.begin,
                      .values = values_in(bucket.memory, bucket.begin),
                      .first_index = bucket.begin,
                      .count = bucket.size(),
                      .bits_in = bits_in(bucket.memory),
                      .keys_to = output_.keys + bucket.begin,
                      .values_to = kHasValues ? output_.values + bucket.begin : nullptr,
                      .bits_out = bits_,
                      .scratch = thread_scratch(bucket_scratch_bytes<K, V>(kMostInBucket))});
  }

 private:
  struct Arrays {
    K* keys;
    V* values;
  };
  struct ConstArrays {
    const K* keys;
    const V* values;
  };

  // Only keys of the input are not ordered yet.
  KeyBits<K> bits_in(Memory memory) const {
    return memory == Memory::kInput ? bits_ : KeyBits<K>();
  }

  const K* keys_in(Memory memory) {
    return memory == Memory::kInput ? input_.keys : arrays(memory).keys;
  }

  // Returns null if values have yet to be made.
  const V* values_in(Memory memory, std::size_t begin) {
    const V* const values = memory == Memory::kInput ? input_.values : arrays(memory).values;
    return values == nullptr ? nullptr : values + begin;
  }

  // Returns the output or the spare arrays, which are allocated at the first call and take memory
  // only where they are written.
  Arrays arrays(Memory memory) {
    if (memory == Memory::kOutput) return output_;
    std::call_once(spare_made_, [this] {
      spare_keys_ = Buffer<K>(device_->pool(MemorySpace::kHost), count_);
      if constexpr (kHasValues)
        spare_values_ = Buffer<V>(device_->pool(MemorySpace::kHost), count_);
    });
    return {spare_keys_.data(), spare_values_.data()};
  }

  // Keys that seem to be sorted already, or equal, are left to digits, which check whether they
  // are.
  bool should_split() {
    if (kHasValues || !is_quick_sort_fast<K>()) return false;
    const auto samples = sample<256>({0, count_, Memory::kInput});
    if (std::ranges::is_sorted(samples)) return false;
    const bool is_skewed =
        plan_.is_frequent(most_alike<K>(samples, first_digit(samples, count_)), samples.size());
    return is_profitable_to_split(count_, sizeof(K), threads_, is_skewed);
  }

  template <std::size_t kSamples>
  std::array<K, kSamples> sample(const ElementRange& range) {
    std::array<K, kSamples> samples;
    fill_sample(range, samples);
    return samples;
  }

  void fill_sample(const ElementRange& range, std::span<K> samples) {
    sample_keys(keys_in(range.memory) + range.begin, range.size(), bits_in(range.memory), samples);
  }

  K sampled_median(const ElementRange& range) {
    auto samples = sample<63>(range);
    const auto middle = samples.begin() + samples.size() / 2;
    std::ranges::nth_element(samples, middle);
    return *middle;
  }

  // Splits a range again if it is too large for a bucket, or `levels` times more, so that there are
  // ranges for all threads. A range that remains too large is partitioned by digits.
  void push_split(const ElementRange& range, int levels, TaskList<BucketTasks>& next) {
    constexpr int kMoreLevels = 16;
    const bool is_too_large = range.size() > kMostInBucket;
    if (is_too_large && levels < -kMoreLevels) {
      partition(range, Memory::kSpare, next);
    } else if (is_too_large || (levels > 0 && range.size() > BucketPlan::kTaskElements)) {
      next.push(SplitRange{this, range, levels});
    } else if (range.size() > 0) {
      next.push(SortBucket{this, range});
    }
  }

  // Sorts a range that is too large for a bucket.
  void partition(const ElementRange& range, Memory to, TaskList<BucketTasks>& next) {
    const std::size_t chunks = plan_.chunks(range.size());
    DigitPartition* partition = nullptr;
    {
      const std::lock_guard lock(partitions_mutex_);
      partition = &partitions_.emplace_back(range, to, chunks);
    }
    const auto samples = sample<256>(range);
    partition->reference = samples[0];
    const Digit digit = first_digit(samples, range.size());
    if (range.memory == Memory::kInput &&
        plan_.needs_splitters(most_alike<K>(samples, digit), samples.size())) {
      start_classifying(*partition, next);
    } else {
      start_counting(*partition, digit, next);
    }
  }

  // The highest of the low bits that differ in keys, of a range of `count`.
  Digit first_digit(int differing_bits, std::size_t count) const {
    const int bits = std::min(differing_bits, plan_.digit_bits(count));
    return {differing_bits - bits, bits};
  }

  // Returns the same of the samples' bits.
  Digit first_digit(std::span<const K> samples, std::size_t count) const {
    K differing = 0;
    for (const K key : samples) differing |= key ^ samples[0];
    return first_digit(static_cast<int>(std::bit_width(differing)), count);
  }

  void start_classifying(DigitPartition& partition, TaskList<BucketTasks>& next) {
    constexpr std::size_t kSamplesOfBucket = 8;
    constexpr std::size_t kMostSamples = kSamplesOfBucket << SplitterTree<K>::kMostBits;
    const int bits = plan_.splitter_bits();
    std::array<K, kMostSamples> memory;
    const auto samples = std::span(memory).first(kSamplesOfBucket << bits);
    fill_sample(partition.range, samples);
    kernels<K, NoValue>().sort(
        {.keys = samples.data(),
         .values = nullptr,
         .first_index = 0,
         .count = samples.size(),
         .keys_to = samples.data(),
         .values_to = nullptr,
         .bits = {},
         .scratch = thread_scratch(bucket_scratch_bytes<K, NoValue>(kMostSamples))});
    splitters_ = SplitterTree<K>(samples, bits);
    bucket_numbers_ = Buffer<std::uint8_t>(device_->pool(MemorySpace::kHost), count_);
    partition.is_by_splitters = true;
    start_counting(partition, {0, bits}, next);
  }

  void start_counting(DigitPartition& partition, Digit digit, TaskList<BucketTasks>& next) {
    partition.start_counting(digit);
    for (std::size_t chunk = 0; chunk < partition.chunks; ++chunk) {
      next.push(CountChunk{this, &partition, chunk});
    }
  }

  void after_counting(DigitPartition& partition, TaskList<BucketTasks>& next) {
    const int differing_bits = static_cast<int>(std::bit_width(partition.differing.load()));
    if (differing_bits == 0) {
      push_equal(partition.range, next);
    } else if (differing_bits > partition.digit.shift + partition.digit.bits) {
      start_counting(partition, first_digit(differing_bits, partition.range.size()), next);
    } else {
      start_scattering(partition, next);
    }
  }

  void start_scattering(DigitPartition& partition, TaskList<BucketTasks>& next) {
    partition.start_scattering();
    for (std::size_t chunk = 0; chunk < partition.chunks; ++chunk) {
      next.push(ScatterChunk{this, &partition, chunk});
    }
  }

  // Equal keys are sorted in pieces of any size.
  void push_equal(const ElementRange& range, TaskList<BucketTasks>& next) {
    const std::size_t most = plan_.most_in_bucket();
    for (std::size_t begin = range.begin; begin < range.end; begin += most) {
      const std::size_t end = std::min(begin + most, range.end);
      next.push(SortBucket{this, {begin, end, range.memory}});
    }
  }

  // Small neighbours are sorted as one bucket, and a bucket too large is partitioned again.
  void after_scattering(DigitPartition& partition, TaskList<BucketTasks>& next) {
    ElementRange merged{partition.range.begin, partition.range.begin, partition.to};
    const auto push_merged = [&](std::size_t next_begin) {
      if (merged.size() > 0) next.push(SortBucket{this, merged});
      merged.begin = next_begin;
    };
    for (std::size_t value = 0; value < partition.digit.values(); ++value) {
      const ElementRange bucket{merged.end, partition.bucket_end(value), partition.to};
      if (bucket.size() > plan_.most_in_bucket()) {
        push_merged(bucket.end);
        if (partition.is_by_splitters && splitters_.has_one_key(value)) {
          push_equal(bucket, next);
        } else {
          this->partition(
              bucket, bucket.memory == Memory::kOutput ? Memory::kSpare : Memory::kOutput, next);
        }
      } else if (merged.size() + bucket.size() > BucketPlan::kTaskElements) {
        push_merged(bucket.begin);
      }
      merged.end = bucket.end;
    }
    push_merged(merged.end);
  }

  const std::shared_ptr<Device> device_;
  const int threads_;
  const std::size_t count_;
  const BucketPlan plan_;
  const KeyBits<K> bits_;
  const ConstArrays input_;
  Arrays output_;
  const bool is_streaming_;
  SplitterTree<K> splitters_;  // Splits the input, if it is partitioned by splitters.
  Buffer<std::uint8_t> bucket_numbers_;
  Buffer<K> unwanted_keys_;
  std::once_flag spare_made_;
  Buffer<K> spare_keys_;
  Buffer<V> spare_values_;
  std::mutex partitions_mutex_;
  std::deque<DigitPartition> partitions_;
};

template <class K>
void sort_by_tasks(Queue& queue, const SortArguments& arguments, int threads, Policy policy,
                   SortReport& report) {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  switch (arguments.value_bytes) {
    case 0: CpuSort<K, NoValue>(queue, arguments, threads).run(queue, policy, report); break;
    case 4: CpuSort<K, U32>(queue, arguments, threads).run(queue, policy, report); break;
    default: CpuSort<K, U64>(queue, arguments, threads).run(queue, policy, report);
  }
}

// Returns true if the calling thread sorts all.
template <class K>
bool is_for_one_thread(const SortArguments& arguments, int threads) {
  const std::size_t count = arguments.count;
  const bool is_by_pivots = arguments.value_bytes == 0 && is_quick_sort_fast<K>();
  const BucketPlan plan(count, threads, sizeof(K) + arguments.value_bytes);
  if (plan.is_one_bucket(is_by_pivots)) return true;
  if (!is_by_pivots || !plan.fits_cache()) return false;
  // The thread copies keys that are sorted already.
  std::array<K, 64> samples;
  sample_keys(static_cast<const K*>(arguments.keys_in), count,
              KeyBits<K>::of(arguments.key_type, arguments.order), std::span<K>(samples));
  return std::ranges::is_sorted(samples);
}

template <class K>
void sort_on_cpu(Queue& queue, const SortArguments& arguments, Policy policy, SortReport& report) {
  const int threads = cpu::threads_of(queue).concurrency();
  if (is_for_one_thread<K>(arguments, threads)) {
    sort_small(arguments, 0);
    report.buckets = 1;
  } else {
    sort_by_tasks<K>(queue, arguments, threads, policy, report);
  }
}

void sort_on_cpu(Queue& queue, const SortArguments& arguments, Policy policy, SortReport& report) {
  if (key_bytes(arguments.key_type) == 4) {
    sort_on_cpu<std::uint32_t>(queue, arguments, policy, report);
  } else {
    sort_on_cpu<std::uint64_t>(queue, arguments, policy, report);
  }
}

const cpu::RegisterTasks<BucketTasks> registered_tasks;
const RegisterOp<RadixSortOp> registered_sort(cpu::kTarget, &sort_on_cpu);

}  // namespace
}  // namespace millrace::radix_sort

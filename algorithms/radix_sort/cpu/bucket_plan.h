// SPDX-License-Identifier: Apache-2.0

// Plans a sort on the CPU: the chunks that are partitioned, and the buckets that are sorted by one
// thread each.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_PLAN_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_PLAN_H_

#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace millrace::radix_sort {

class BucketPlan {
 public:
  // Elements of a bucket for which a task is profitable, and those for which several threads are:
  // two cores of an Emerald Rapids sort 272 M keys/s of 3e4 and 270 to 286 of 5e4, one thread 183
  // of 3e4, and as one bucket it sorted 172 and 154 (docs/experiments/cpu_sort_bucket_size.md).
  static constexpr std::size_t kTaskElements = 4096;
  static constexpr std::size_t kLeastToShare = 16'000;

  // The same by pivots. A Zen 5 sorts 3e4 keys in 40 us by one thread and in 52 by two, 5e4 keys
  // in 77 us by one and in 52 by two (docs/experiments/when_to_sort_by_pivots.md).
  static constexpr std::size_t kLeastToShareByPivots = 40'000;

  // A larger bucket is partitioned again only if it exceeds a second-level cache, because below
  // that partitioning costs more than it saves: 1e7 normal keys take 1.2 times as long with 512 KiB
  // (two cores of a Zen 4, docs/experiments/cpu_sort_bucket_size.md).
  static constexpr std::size_t kMostBucketBytes = std::size_t{2} << 20;

  // Plans `count` elements of `element_bytes`, keys and values, for `threads` threads.
  BucketPlan(std::size_t count, int threads, std::size_t element_bytes)
      : count_(count),
        threads_(static_cast<std::size_t>(std::max(threads, 1))),
        element_bytes_(element_bytes) {}

  // Returns true if one thread sorts all. By pivots, a single thread sorts what the cache holds; by
  // digits it sorts small buckets faster.
  bool is_one_bucket(bool is_by_pivots) const {
    if (threads_ == 1 && is_by_pivots) return fits_cache();
    return count_ <=
           std::min(most_in_cache(), is_by_pivots ? kLeastToShareByPivots : kLeastToShare);
  }

  bool fits_cache() const { return count_ <= most_in_cache(); }

  // Returns the elements of a bucket that is not partitioned again: as many as fit in the cache,
  // and at most twice an even fraction, because its thread would delay the others. A Zipf
  // distribution has 60 to 75 % of its keys in one bucket.
  std::size_t most_in_bucket() const {
    return std::min(most_in_cache(), std::max(2 * (count_ / threads_), kLeastToPartitionAgain));
  }

  // Returns as many chunks of a range as threads divide evenly, if that leaves chunks large enough.
  std::size_t chunks(std::size_t range) const {
    const std::size_t wanted = std::clamp<std::size_t>(range / kChunkElements, 1, 2 * threads_);
    const std::size_t even = (wanted + threads_ - 1) / threads_ * threads_;
    const std::size_t chunks = range / even >= kChunkElements / 2 ? even : wanted;
    return std::max(chunks, range / kMostInChunk + 1);
  }

  // Bits of the digit that a range is partitioned by: enough for buckets of a good size if keys are
  // spread evenly. A bucket that is too large for its thread is partitioned by 8 bits, so that
  // elements move straight to their positions. Before there were splitters, 2e5 pairs of a Zipf
  // distribution took 1.8 to 2.1 of uniform's time with 8 bits, 2.9 with 10 and 3.7 with 11, on 16
  // cores of a Xeon (docs/experiments/when_to_split_by_a_sample.md). A bucket that has nearly all
  // elements may be spread evenly, so it is an exception.
  int digit_bits(std::size_t range) const {
    constexpr int kSmallDigitBits = 8;
    const bool is_skewed = !is_nearly(range, count_) && most_in_bucket() < most_in_cache();
    if (is_skewed) return kSmallDigitBits;
    const int least = std::min<int>(std::bit_width(range / kTaskElements), kSmallDigitBits);
    const int enough =
        std::bit_width(range / std::max(kBucketBytes / element_bytes_ / 2, kTaskElements));
    return std::min(std::max(least, enough), kMostDigitBits);
  }

  // Returns true where the keys of one value of the first digit, which `alike` of `samples` have,
  // are more than one thread should sort: twice an even fraction of all. Splitters then make
  // buckets that are even, in one partition (docs/experiments/when_to_split_by_a_sample.md). Nearly
  // all keys may be spread evenly among themselves, so that a second partition by a digit does.
  // A bucket that the cache limits, and not the number of threads, is partitioned while others are
  // sorted. A sixteenth of the samples may be alike by chance.
  bool needs_splitters(std::size_t alike, std::size_t samples) const {
    const std::size_t most = std::max(2 * (count_ / threads_), kLeastToBalance);
    return most < most_in_cache() && alike * count_ / samples > most &&
           is_frequent(alike, samples) && !is_nearly(alike, samples);
  }

  // Returns true if `alike` of `samples` have the same value of the first digit, and not by chance.
  static bool is_frequent(std::size_t alike, std::size_t samples) { return alike > samples / 16; }

  // Returns the bits of the number of a bucket between splitters. There are two to four times as
  // many as profitable tasks, so that they are small enough if the sample was unlike the keys.
  int splitter_bits() const {
    const int enough = 1 + static_cast<int>(std::bit_width(count_ / kTaskElements));
    return std::min(enough, kMostSplitterBits);
  }

  // Returns how often keys are partitioned in two, so that every thread has two ranges and may
  // start late.
  int split_levels() const {
    const std::size_t most = std::min(2 * threads_ - 1, count_ / kTaskElements);
    return static_cast<int>(std::bit_width(most));
  }

 private:
  // Most bytes of a bucket and its copy, if keys are evenly distributed. Best is a core's
  // first-level cache, or slightly more, unless buckets are so many that the partition is slow: 1e7
  // keys in 2,048 and 1,024 buckets take 0.55 of the time that they take in 256 on an Emerald
  // Rapids, and 1.25 and 1.1 on a Zen 5, where 256 are best (virtual machines with 2 cores;
  // docs/experiments/cpu_sort_bucket_size.md). With this they have 1,024, and 1.1e7 keys 2,048.
  static constexpr std::size_t kBucketBytes = std::size_t{80} << 10;

  // Elements of a bucket that one thread sorts faster than several partition it.
  static constexpr std::size_t kLeastToPartitionAgain = 32'000;

  // Least elements of a bucket for which splitters are profitable.
  static constexpr std::size_t kLeastToBalance = 2 * kTaskElements;

  static constexpr int kMostSplitterBits = SplitterTree<std::uint64_t>::kMostBits;

  // Elements of a chunk, and half of that at least; and at most, because they are counted by 32
  // bits.
  static constexpr std::size_t kChunkElements = std::size_t{1} << 13;
  static constexpr std::size_t kMostInChunk = std::size_t{1} << 31;

  // Returns true for nine tenths and more.
  static bool is_nearly(std::size_t count, std::size_t all) { return count >= all / 10 * 9; }

  std::size_t most_in_cache() const { return kMostBucketBytes / element_bytes_; }

  const std::size_t count_;
  const std::size_t threads_;
  const std::size_t element_bytes_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_PLAN_H_

// SPDX-License-Identifier: Apache-2.0

// Buckets of about the same size for keys of any distribution: splitters chosen from a sample, in
// a search tree of two levels whose nodes are compared with a key by whole vectors. Sorting by
// splitters is as in "Super scalar sample sort" (Sanders and Winkel, 2004).
//
//   const SplitterTree<std::uint32_t> tree(sorted_sample, 6);   // Up to 64 buckets.
//   tree.bucket_of(key)                                          // The reference of classify().
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLITTER_TREE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLITTER_TREE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>

namespace millrace::radix_sort {

// For ordered keys, unsigned integers of 4 or 8 bytes. Buckets are in the order of their keys.
template <class K>
class SplitterTree {
  static constexpr K kHighest = std::numeric_limits<K>::max();

 public:
  // A byte can number the buckets, 2 to the power of so many bits.
  static constexpr int kMostBits = 8;

  static constexpr std::size_t kFanout = 16;

  SplitterTree() = default;

  // Chooses splitters from at least one key, in order. A key that fills a bucket gets one of its
  // own. There are 2^`bits` buckets, 1 to kMostBits bits.
  SplitterTree(std::span<const K> sorted_sample, int bits) : bits_(bits) {
    // Each splitter is between two samples, half a bucket before an even cut and behind it.
    const std::size_t half = sorted_sample.size() / (2 * buckets());
    auto next = splitters_.begin();
    for (std::size_t i = 1; i < buckets(); ++i) {
      const std::size_t cut = i * sorted_sample.size() / buckets();
      const K low = sorted_sample[cut - half];
      const K high = sorted_sample[std::min(cut + half, sorted_sample.size() - 1)];
      K splitter = low < high ? roundest(low, high) : high;
      const bool has_splitter = next != splitters_.begin();
      if (low == high && has_splitter && next[-1] == high) ++splitter;
      if (!has_splitter || next[-1] < splitter) *next++ = splitter;
    }
    std::fill(next, splitters_.end(), kHighest);
    for (std::size_t i = 0; i < kFanout; ++i) root_[i] = splitters_[kFanout * (i + 1) - 1];
  }

  int bits() const { return bits_; }
  std::size_t buckets() const { return std::size_t{1} << bits_; }

  // kFanout splitters: the last of each leaf but the last one.
  const K* root() const { return root_.data(); }

  // All splitters in order, kFanout a leaf, with the highest key behind them: kFanout + 1 leaves,
  // because that key is past the last splitter of the root.
  const K* leaves() const { return splitters_.data(); }

  // Returns the number of splitters that are at most `key`.
  std::size_t bucket_of(K key) const {
    const auto end = splitters_.begin() + static_cast<std::ptrdiff_t>(buckets() - 1);
    return static_cast<std::size_t>(std::upper_bound(splitters_.begin(), end, key) -
                                    splitters_.begin());
  }

  // Returns true where all keys of a bucket are equal.
  bool has_one_key(std::size_t bucket) const {
    const K first = bucket == 0 ? K{0} : splitters_[bucket - 1];
    return first == (bucket + 1 == buckets() ? kHighest : static_cast<K>(splitters_[bucket] - 1));
  }

 private:
  // Returns the key with the most low bits that are 0, above `low` and at most `high`. Between such
  // keys are buckets in which fewer bits differ, which are faster to sort.
  static K roundest(K low, K high) {
    return static_cast<K>(high & ~(std::bit_floor(static_cast<K>(low ^ high)) - 1));
  }

  static constexpr std::size_t kMostBuckets = std::size_t{1} << kMostBits;

  int bits_ = 0;
  alignas(64) std::array<K, kMostBuckets + kFanout> splitters_;  // Sorted.
  alignas(64) std::array<K, kFanout> root_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLITTER_TREE_H_

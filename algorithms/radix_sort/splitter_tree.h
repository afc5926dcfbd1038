// Buckets of about the same size for keys of any distribution: splitters chosen from a sample, in
// a search tree that takes a key to its bucket without branches, as in "Super scalar sample sort"
// (Sanders and Winkel, 2004).
//
//   const SplitterTree<std::uint32_t> tree(sorted_sample, 6);   // Up to 64 buckets.
//   tree.bucket_of(key)                                          // The reference of classify().
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTER_TREE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTER_TREE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace millrace::radix_sort {

// For ordered keys, unsigned integers of 4 or 8 bytes. Buckets are in the order of their keys.
template <class K>
class SplitterTree {
  static constexpr K kHighest = std::numeric_limits<K>::max();

 public:
  // Levels of a tree whose buckets a byte can number.
  static constexpr int kMostLevels = 8;

  SplitterTree() = default;

  // Chooses splitters from at least one key, in order. A key that fills a bucket gets one of its
  // own. `levels` is at least 1 and at most kMostLevels.
  SplitterTree(std::span<const K> sorted_sample, int levels) : levels_(levels) {
    const std::size_t splitters = buckets() - 1;
    const auto sampled = [&](std::size_t i) {
      return sorted_sample[(i + 1) * sorted_sample.size() / buckets()];
    };
    const auto end = splitters_.begin() + static_cast<std::ptrdiff_t>(splitters);
    auto next = splitters_.begin();
    for (std::size_t i = 0; i < splitters; ++i) {
      const K key = sampled(i);
      const bool is_repeated = i > 0 && sampled(i - 1) == key;
      if (!is_repeated) {
        if (next == splitters_.begin() || next[-1] != key) *next++ = key;
      } else if (key != kHighest && next[-1] == key) {
        *next++ = key + 1;
      }
    }
    std::fill(next, end, kHighest);
    for (int level = 0; level < levels; ++level) {
      const std::size_t first = std::size_t{1} << level;
      for (std::size_t i = 0; i < first; ++i) {
        nodes_[first + i] = splitters_[((2 * i + 1) << (levels - level - 1)) - 1];
      }
    }
  }

  int levels() const { return levels_; }
  std::size_t buckets() const { return std::size_t{1} << levels_; }

  // Splitters by levels: the root is at 1. Keys below node i go on at 2 i, others at 2 i + 1.
  const K* nodes() const { return nodes_.data(); }

  // Returns the number of splitters that are at most `key`.
  std::size_t bucket_of(K key) const {
    std::size_t node = 1;
    for (int level = 0; level < levels_; ++level) node = 2 * node + (nodes_[node] <= key ? 1 : 0);
    return node - buckets();
  }

  // Returns true where all keys of a bucket are equal.
  bool has_one_key(std::size_t bucket) const {
    const K first = bucket == 0 ? K{0} : splitters_[bucket - 1];
    return first == (bucket + 1 == buckets() ? kHighest : static_cast<K>(splitters_[bucket] - 1));
  }

 private:
  int levels_ = 0;
  std::array<K, std::size_t{1} << kMostLevels> splitters_;  // In order.
  std::array<K, std::size_t{1} << kMostLevels> nodes_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTER_TREE_H_

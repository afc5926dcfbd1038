// SPDX-License-Identifier: Apache-2.0

// The loops of radix sort on the CPU, compiled for each of its instruction sets: the pass that
// partitions elements by a digit or by splitters, the sorts of a bucket that fits the cache, by
// digits and of keys alone by pivots, and the partition of keys by a pivot.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_RADIX_SORT_SIMD_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_RADIX_SORT_SIMD_H_

#include <millrace/algorithms/radix_sort/cpu/simd/quick_sort_work.h>
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/steps/records.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace millrace::radix_sort {

template <class V>
inline constexpr std::size_t kValueBytes = sizeof(V);
template <>
inline constexpr std::size_t kValueBytes<NoValue> = 0;

// `bits` bits of an ordered key from bit `shift` on. Loops take a local copy: the compiler has to
// assume that their stores change one in memory.
struct Digit {
  int shift = 0;
  int bits = 0;

  std::size_t values() const { return std::size_t{1} << bits; }
};

inline constexpr int kMostDigitBits = 11;

// Counts how many keys have each value of a digit.
template <class K>
struct CountWork {
  const K* keys;
  std::size_t count;  // Below 2^32.
  KeyBits<K> bits;    // Makes the keys ordered.
  Digit digit;
  K reference;            // An ordered key.
  std::uint32_t* counts;  // digit.values() of them, written.
};

// Finds each key's bucket in a tree of splitters and counts the keys of each.
template <class K>
struct ClassifyWork {
  const SplitterTree<K>* splitters;
  const K* keys;
  std::size_t count;      // Below 2^32.
  KeyBits<K> bits;        // Makes the keys ordered.
  std::uint8_t* buckets;  // The number of each key's bucket, written.
  std::uint32_t* counts;  // splitters->buckets() of them, written.
};

// Moves elements to the range of their digit's value or bucket, where they keep their order.
template <class K, class V>
struct ScatterWork {
  const K* keys;
  const V* values;          // Null: the value of element i is first_index + i.
  std::size_t first_index;  // Index of the first element.
  std::size_t count;
  KeyBits<K> bits;  // Makes the keys ordered; written as such.
  Digit digit;
  const std::uint8_t* buckets;  // Each element's bucket; null: that of its digit.
  std::uint64_t* next_indices;  // Output index of the next element of each bucket; changed.
  K* keys_to;
  V* values_to;
  bool is_streaming;   // True to write past the caches.
  std::byte* scratch;  // kScatterScratchBytes, aligned to a cache line.
};

// Partitions keys in two. The output is the input, whose keys are ordered then, or does not overlap
// it.
template <class K>
struct SplitWork {
  const K* keys;
  std::size_t count;
  KeyBits<K> bits;  // Makes the keys ordered; written as such.
  K pivot;          // An ordered key.
  K* keys_to;
};

// Sorts a bucket. Outputs are the inputs or do not overlap them.
template <class K, class V>
struct BucketWork {
  const K* keys;    // Ordered.
  const V* values;  // Null: the value of element i is first_index + i.
  std::size_t first_index;
  std::size_t count;
  K* keys_to;
  V* values_to;
  KeyBits<K> bits;     // Maps output keys back.
  std::byte* scratch;  // bucket_scratch_bytes(), aligned to a cache line.
};

inline constexpr std::size_t kCacheLine = 64;

// Bytes of a digit's elements that are written at once. The branch that tests if a line is full is
// mispredicted once a line, so lines of 64 bytes cost twice as much.
inline constexpr std::size_t kLineBytes = 4 * kCacheLine;

// For each of the most values of a digit: a line of keys and a line of values, and their beginning
// and end.
inline constexpr std::size_t kScatterScratchBytes =
    (std::size_t{1} << kMostDigitBits) * (2 * kLineBytes + 2 * sizeof(std::uint64_t));

template <class K, class V>
struct Element {
  K key;
  V value;
};
template <class K>
struct Element<K, NoValue> {
  K key;
};

// Returns the bytes of as many keys, and of what aligns the next ones.
template <class K>
constexpr std::size_t aligned_keys_bytes(std::size_t count) {
  return (count * sizeof(K) + kCacheLine - 1) / kCacheLine * kCacheLine;
}

// Keys and records are sorted by digits with a copy of them, and records by words of 8 bytes,
// beside which their keys are kept.
template <class K, class V>
constexpr std::size_t bucket_scratch_bytes(std::size_t count) {
  constexpr std::size_t kCounts = 2 * sizeof(std::uint32_t) * (std::size_t{1} << kMostDigitBits);
  if constexpr (std::is_same_v<V, NoValue>) return kCounts + count * sizeof(K);
  constexpr std::size_t kMost = std::max(sizeof(Element<K, V>), sizeof(std::uint64_t));
  return kCounts + 2 * aligned_keys_bytes<std::uint64_t>(count) + count * kMost;
}

template <class K, class V>
struct Kernels {
  // Copies keys and makes them ordered; `to` is `keys` or does not overlap it.
  void (*order)(const K* keys, std::size_t count, KeyBits<K> bits, K* to);

  // Returns the bits in which a key differs from the reference.
  K (*count)(const CountWork<K>&);

  void (*classify)(const ClassifyWork<K>&);
  void (*scatter)(const ScatterWork<K, V>&);
  void (*sort)(const BucketWork<K, V>&);

  // Moves keys of at most the pivot to the front and all others behind them, both in any order.
  // Returns how many are in front. Null for vectors of less than 32 bytes, like the next one.
  std::size_t (*split)(const SplitWork<K>&);

  void (*quick_sort)(const QuickSortWork<K>&);
};

using KernelTable =
    std::tuple<Kernels<std::uint32_t, NoValue>, Kernels<std::uint32_t, std::uint32_t>,
               Kernels<std::uint32_t, std::uint64_t>, Kernels<std::uint64_t, NoValue>,
               Kernels<std::uint64_t, std::uint32_t>, Kernels<std::uint64_t, std::uint64_t>>;

// Returns the kernels for this processor. Thread-safe.
const KernelTable& kernel_table();

template <class K, class V>
const Kernels<K, V>& kernels() {
  return std::get<Kernels<K, V>>(kernel_table());
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_RADIX_SORT_SIMD_H_

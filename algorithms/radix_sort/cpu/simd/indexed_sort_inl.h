// SPDX-License-Identifier: Apache-2.0

// Sorts the records of a bucket: by digits or, where many keys share their digits, by words that
// have a key's highest bits and, below them, its index. No two words are equal, so a quick sort of
// words keeps the order of equal keys. Included by radix_sort_simd.cc, which is compiled once per
// target.

#include <millrace/algorithms/radix_sort/cpu/simd/bucket_sort_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/quick_sort_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_INDEXED_SORT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_INDEXED_SORT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_INDEXED_SORT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_INDEXED_SORT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX2

using Word = std::uint64_t;

// The layout of words.
struct WordBits {
  int index;  // Bits of an index.
  int lost;   // Lowest bits of a key that do not fit.

  // Returns the layout for keys of which the lowest `differing` bits are not all alike.
  static WordBits of(int differing, std::size_t count) {
    const int index = static_cast<int>(std::bit_width(count - 1));
    return {index, std::max(differing + index - 64, 0)};
  }
  std::size_t index_of(Word word) const { return word & ((Word{1} << index) - 1); }
};

template <class K>
void make_words(const K* keys, std::size_t count, WordBits bits, Word* words) {
  const KeyVectors<Word> d;
  const hn::Rebind<K, KeyVectors<Word>> d_key;
  std::size_t i = 0;
  for (; i + kLanes<Word> <= count; i += kLanes<Word>) {
    KeyVector<Word> key;
    if constexpr (sizeof(K) == sizeof(Word)) {
      key = hn::ShiftRightSame(hn::LoadU(d, keys + i), bits.lost);
    } else {
      key = hn::PromoteTo(d, hn::LoadU(d_key, keys + i));
    }
    hn::StoreU(hn::Or(hn::ShiftLeftSame(key, bits.index), hn::Iota(d, i)), d, words + i);
  }
  for (; i < count; ++i) words[i] = static_cast<Word>(keys[i]) >> bits.lost << bits.index | i;
}

// Returns the array, or a copy in `memory` if it is overwritten.
template <class T>
const T* kept(const T* array, const T* overwritten, std::size_t count, std::byte* memory) {
  if (array != overwritten) return array;
  return std::copy_n(array, count, reinterpret_cast<T*>(memory)) - count;
}

template <class K, class V>
void sort_by_indexed_keys(const BucketWork<K, V>& work) {
  const std::size_t count = work.count;
  const K differing = facts_of(work.keys, count).differing;
  const auto bits = WordBits::of(static_cast<int>(std::bit_width(differing)), count);
  auto* const words = reinterpret_cast<Word*>(work.scratch);
  std::byte* const spare = work.scratch + aligned_keys_bytes<Word>(count);
  std::byte* const digit_scratch = spare + aligned_keys_bytes<Word>(count);
  make_words(work.keys, count, bits, words);
  QuickSort<Word>({}, digit_scratch).sort(words, count);
  const V* const values = kept<V>(work.values, work.values_to, count, digit_scratch);
  const K* const keys = kept<K>(work.keys, work.keys_to, count, spare);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = bits.index_of(words[i]);
    // A word has all bits of a key of 4 bytes.
    work.keys_to[i] = sizeof(K) == 4 ? static_cast<K>(words[i] >> bits.index) : keys[index];
    work.values_to[i] =
        values == nullptr ? static_cast<V>(work.first_index + index) : values[index];
  }
  if (bits.lost > 0) sort_runs(work, bits.lost);
}

#endif

template <class K, class V>
void sort_bucket(const BucketWork<K, V>& work) {
  if (work.count == 0) return;
#if HWY_TARGET <= HWY_AVX2
  constexpr bool kMayGiveUp = !std::is_same_v<V, NoValue>;
  // Up to as many records are sorted faster by words, whatever the keys: 200 pairs of keys of 4
  // bytes in half the time, by vectors of 64 bytes.
  constexpr std::size_t kMostByWords = HWY_TARGET <= HWY_AVX3 ? 500 : 64;
  const bool is_short = kMayGiveUp && work.count > kMostToInsert && work.count <= kMostByWords;
  if (is_short || !try_sort_ordered<kMayGiveUp>(work)) {
    if constexpr (kMayGiveUp) sort_by_indexed_keys(work);
  }
#else
  sort_ordered(work);
#endif
  unorder_keys(work.keys_to, work.count, work.bits);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

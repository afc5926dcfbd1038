// SPDX-License-Identifier: Apache-2.0

// Sorts keys that fit the cache by partitions in two, down to ranges that a network of comparators
// sorts. Unlike by digits, keys of all distributions take about the same time. Included by
// radix_sort_simd.cc, which is compiled once per target.

#include <millrace/algorithms/radix_sort/cpu/simd/bucket_sort_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/merge_network_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/sorting_network_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/split_inl.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

template <class K>
inline constexpr std::size_t (*kSplit)(const SplitWork<K>&) = nullptr;

template <class K>
inline constexpr void (*kQuickSort)(const QuickSortWork<K>&) = nullptr;

#if HWY_TARGET <= HWY_AVX2

template <class K>
HWY_INLINE KeyVector<K> median(KeyVector<K> a, KeyVector<K> b, KeyVector<K> c) {
  return hn::Max(hn::Min(a, b), hn::Min(hn::Max(a, b), c));
}

// Returns a key near the median of at least as many keys as nine vectors have: in each lane the
// median of medians of three of nine vectors, and the median of the lanes.
template <class K>
K near_median(const K* keys, std::size_t count, KeyBits<K> key_bits) {
  const KeyVectors<K> d;
  const VectorBits<K> bits(key_bits);
  const std::size_t step = (count - kLanes<K>) / 8;
  const auto median_from = [&](std::size_t first) HWY_ATTR {
    const K* const from = keys + first * step;
    return median<K>(bits.ordered(hn::LoadU(d, from)), bits.ordered(hn::LoadU(d, from + step)),
                     bits.ordered(hn::LoadU(d, from + 2 * step)));
  };
  KeyMatrix<K, 1> medians{{median<K>(median_from(0), median_from(3), median_from(6))}};
  sort_matrix(medians);
  alignas(kCacheLine) K sorted[kLanes<K>];
  hn::Store(medians.rows[0], d, sorted);
  return sorted[kLanes<K> / 2 - 1];
}

// Returns true if two neighbours in the middle of a range are equal, as they are if some values are
// frequent.
template <class K>
HWY_INLINE bool has_equal_neighbours(const K* keys, std::size_t count) {
  const KeyVectors<K> d;
  const auto middle = hn::LoadU(d, keys + (count - kLanes<K>) / 2);
  return !hn::AllFalse(d, hn::Eq(middle, hn::Reverse2(d, middle)));
}

// Returns the index of the first key that is not `one`; `count` if there is none.
template <class K>
HWY_INLINE std::size_t find_other(const K* keys, std::size_t count, K one) {
  const KeyVectors<K> d;
  const auto ones = hn::Set(d, one);
  std::size_t i = 0;
  while (i + kLanes<K> <= count && hn::AllTrue(d, hn::Eq(hn::LoadU(d, keys + i), ones))) {
    i += kLanes<K>;
  }
  while (i < count && keys[i] == one) ++i;
  return i;
}

// Sorts a range in place and returns true if it has at most two values.
template <class K>
bool sort_two_values(K* keys, std::size_t count) {
  const KeyVectors<K> d;
  const K one = keys[0];
  std::size_t i = find_other(keys, count, one);
  if (i == count) return true;
  const K other = keys[i];
  std::size_t count_of_one = i;
  const auto ones = hn::Set(d, one);
  const auto others = hn::Set(d, other);
  for (; i + kLanes<K> <= count; i += kLanes<K>) {
    const auto vector = hn::LoadU(d, keys + i);
    const auto is_one = hn::Eq(vector, ones);
    if (!hn::AllTrue(d, hn::Or(is_one, hn::Eq(vector, others)))) return false;
    count_of_one += hn::CountTrue(d, is_one);
  }
  for (; i < count; ++i) {
    if (keys[i] != one && keys[i] != other) return false;
    count_of_one += keys[i] == one;
  }
  const std::size_t in_front = one < other ? count_of_one : count - count_of_one;
  std::fill_n(keys, in_front, std::min(one, other));
  std::fill_n(keys + in_front, count - in_front, std::max(one, other));
  return true;
}

// Ranges that are still too large for a network after as many partitions, one in the other, are
// sorted by digits, so that no keys take quadratic time. Even partitions of a bucket are ten.
inline constexpr int kQuickSortLevels = 32;

// Sorts ordered keys in place, and maps them back.
template <class K>
class QuickSort {
 public:
  // `digit_scratch` is bucket_scratch_bytes<K, NoValue>() for all keys.
  QuickSort(KeyBits<K> bits_out, std::byte* digit_scratch)
      : bits_out_(bits_out), digit_scratch_(digit_scratch) {}

  void sort(K* keys, std::size_t count, int levels = kQuickSortLevels) const {
    if (count > kBlockKeys<K> && has_equal_neighbours(keys, count) &&
        sort_two_values(keys, count)) {
      unorder_keys(keys, count, bits_out_);
    } else if (count <= kMostInNetwork<K>) {
      sort_short(keys, count, keys);
    } else if (levels == 0) {
      sort_by_digits(keys, count);
    } else {
      const K pivot = near_median(keys, count, {});
      sort_parts(keys, count, split_in_place(keys, count, pivot), pivot, levels - 1);
    }
  }

  // Sorts keys of which the first `in_front` are at most the pivot, and all others larger.
  void sort_parts(K* keys, std::size_t count, std::size_t in_front, K pivot, int levels) const {
    if (in_front < count) {
      sort(keys, in_front, levels);
      sort(keys + in_front, count - in_front, levels);
      return;
    }
    // The pivot is the largest key. Those that are equal to it are not moved again.
    const K before = static_cast<K>(pivot - 1);
    const std::size_t smaller = pivot == 0 ? 0 : split_in_place(keys, count, before);
    std::fill_n(keys + smaller, count - smaller, bits_out_.raw(pivot));
    sort(keys, smaller, levels);
  }

  // Sorts at most kMostInNetwork keys. `to` is `keys` or does not overlap it.
  void sort_short(const K* keys, std::size_t count, K* to) const {
    if (count == 0) return;
    sort_by_network(keys, count, to);
    unorder_keys(to, count, bits_out_);
  }

 private:
  void sort_by_digits(K* keys, std::size_t count) const {
    sort_ordered<K, NoValue>({.keys = keys,
                              .values = nullptr,
                              .first_index = 0,
                              .count = count,
                              .keys_to = keys,
                              .values_to = nullptr,
                              .bits = {},
                              .scratch = digit_scratch_});
    unorder_keys(keys, count, bits_out_);
  }

  const KeyBits<K> bits_out_;
  std::byte* const digit_scratch_;
};

// Returns true if evenly spaced keys ascend.
template <class K>
bool seems_sorted(const K* keys, std::size_t count, KeyBits<K> bits) {
  constexpr std::size_t kSamples = 8;
  const std::size_t step = (count - 1) / (kSamples - 1);
  for (std::size_t i = 1; i < kSamples; ++i) {
    if (bits.ordered(keys[i * step]) < bits.ordered(keys[(i - 1) * step])) return false;
  }
  return true;
}

// Copies keys as long as they ascend. Returns true if all do.
template <class K>
bool copy_if_sorted(const K* keys, std::size_t count, KeyBits<K> key_bits, K* to) {
  const KeyVectors<K> d;
  const VectorBits<K> bits(key_bits);
  to[0] = keys[0];
  std::size_t i = 1;
  for (; i + kLanes<K> <= count; i += kLanes<K>) {
    const auto before = hn::LoadU(d, keys + i - 1);
    const auto here = hn::LoadU(d, keys + i);
    if (!hn::AllFalse(d, hn::Lt(bits.ordered(here), bits.ordered(before)))) return false;
    hn::StoreU(here, d, to + i);
  }
  for (; i < count; ++i) {
    if (key_bits.ordered(keys[i]) < key_bits.ordered(keys[i - 1])) return false;
    to[i] = keys[i];
  }
  return true;
}

template <class K>
void quick_sort(const QuickSortWork<K>& work) {
  const QuickSort<K> sort(work.bits_out, work.scratch);
  const bool is_ordered = work.bits_in.is_identity();
  const bool is_in_place = work.keys == work.keys_to;
  if (work.count > 2 * kBlockKeys<K> && seems_sorted(work.keys, work.count, work.bits_in) &&
      copy_if_sorted(work.keys, work.count, work.bits_in, work.keys_to)) {
    if (is_ordered) unorder_keys(work.keys_to, work.count, work.bits_out);
  } else if (work.count <= kMostInNetwork<K> && is_ordered) {
    sort.sort_short(work.keys, work.count, work.keys_to);
  } else if (work.count <= kMostInNetwork<K> || is_in_place) {
    if (!is_ordered) order_keys(work.keys, work.count, work.bits_in, work.keys_to);
    sort.sort(work.keys_to, work.count);
  } else {
    const K pivot = near_median(work.keys, work.count, work.bits_in);
    const std::size_t in_front =
        split<K>({work.keys, work.count, work.bits_in, pivot, work.keys_to});
    sort.sort_parts(work.keys_to, work.count, in_front, pivot, kQuickSortLevels - 1);
  }
}

template <>
inline constexpr std::size_t (*kSplit<std::uint32_t>)(const SplitWork<std::uint32_t>&) = &split;
template <>
inline constexpr std::size_t (*kSplit<std::uint64_t>)(const SplitWork<std::uint64_t>&) = &split;
template <>
inline constexpr void (*kQuickSort<std::uint32_t>)(const QuickSortWork<std::uint32_t>&) =
    &quick_sort;
template <>
inline constexpr void (*kQuickSort<std::uint64_t>)(const QuickSortWork<std::uint64_t>&) =
    &quick_sort;

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0

// Sorts a bucket that fits the cache, by least significant digits first. Included by
// radix_sort_simd.cc, which is compiled once per target.

#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/partition_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <type_traits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_BUCKET_SORT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_BUCKET_SORT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_BUCKET_SORT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_BUCKET_SORT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

// Elements of a bucket: two arrays. That of the values may be missing.
template <class K, class V>
struct Elements {
  static constexpr bool kHasValues = !std::is_same_v<V, NoValue>;

  K* keys;
  V* values;

  Element<K, V> get(std::size_t i) const {
    if constexpr (kHasValues) {
      return {keys[i], values[i]};
    } else {
      return {keys[i]};
    }
  }
  HWY_INLINE void set(std::size_t i, const Element<K, V>& element) const {
    keys[i] = element.key;
    if constexpr (kHasValues) values[i] = element.value;
  }
  Elements from(std::size_t begin) const {
    return {keys + begin, kHasValues ? values + begin : nullptr};
  }
};

// Faster than digits up to about this many elements.
inline constexpr std::size_t kMostToInsert = 24;

template <class K, class V>
void insertion_sort(const Elements<K, V>& elements, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    const Element<K, V> moving = elements.get(i);
    std::size_t hole = i;
    for (; hole > 0 && moving.key < elements.keys[hole - 1]; --hole) {
      elements.set(hole, elements.get(hole - 1));
    }
    elements.set(hole, moving);
  }
}

// The digits a bucket is sorted by: one or two, of its highest bits that differ.
struct DigitPlan {
  Digit low;
  Digit high;     // Has no bits if there is one digit.
  bool is_whole;  // True if keys whose digits are equal are equal.
};

// Returns the digits of `count` keys. They have `spare_bits` more bits than it takes to number the
// keys, so about one in 2^`spare_bits` evenly distributed keys shares its digits with another key.
// Digits of fewer bits are faster.
inline DigitPlan plan_digits(int differing_bits, std::size_t count, int spare_bits) {
  constexpr int kSmallDigitBits = 8;
  constexpr std::size_t kSmallCount = 2048;
  const int wanted = static_cast<int>(std::bit_width(count)) + spare_bits;
  const int bits = std::min({differing_bits, wanted, 2 * kMostDigitBits});
  const int most_in_one = count < kSmallCount ? kSmallDigitBits : kMostDigitBits;
  const int digits = bits > most_in_one ? 2 : 1;
  const int low_bits = (bits + digits - 1) / digits;
  const int low_shift = differing_bits - bits;
  return {.low = {low_shift, low_bits},
          .high = {low_shift + low_bits, bits - low_bits},
          .is_whole = low_shift == 0};
}

template <class K>
void count_two_digits(const K* keys, std::size_t count, const DigitPlan& plan, std::uint32_t* low,
                      std::uint32_t* high) {
  std::fill_n(low, plan.low.values(), 0);
  std::fill_n(high, plan.high.values(), 0);
  const DigitOf<K> low_of(plan.low);
  const DigitOf<K> high_of(plan.high);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    ++low[low_of(keys[i])];
    ++high[high_of(keys[i])];
  }
}

// Replaces counts by the indices at which each value's elements begin.
inline void add_up(std::uint32_t* counts, std::size_t values) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < values; ++i) {
    const std::uint32_t count = counts[i];
    counts[i] = sum;
    sum += count;
  }
}

template <class K, class V>
void sort_ordered(const BucketWork<K, V>& work);

// Sorts runs of keys whose bits from `shift` on are equal.
template <class K, class V>
void sort_runs(const BucketWork<K, V>& work, int shift) {
  const Elements<K, V> elements{work.keys_to, work.values_to};
  const K* const keys = work.keys_to;
  const std::size_t all = work.count;
  const K mask = static_cast<K>(~K{0}) << shift;
  std::size_t i = find_repeat(keys, 1, all, mask);
  while (i < all) {
    const std::size_t begin = i - 1;
    while (i < all && ((keys[i] ^ keys[begin]) & mask) == 0) ++i;
    const Elements<K, V> run = elements.from(begin);
    const std::size_t count = i - begin;
    if (count <= kMostToInsert) {
      insertion_sort(run, count);
    } else {
      sort_ordered<K, V>({.keys = run.keys,
                          .values = run.values,
                          .first_index = 0,
                          .count = count,
                          .keys_to = run.keys,
                          .values_to = run.values,
                          .bits = {},
                          .scratch = work.scratch});
    }
    if (i < all) i = find_repeat(keys, i + 1, all, mask);
  }
}

template <class K, class V>
void copy_elements(const BucketWork<K, V>& work) {
  if (work.keys != work.keys_to) std::copy_n(work.keys, work.count, work.keys_to);
  if constexpr (Elements<K, V>::kHasValues) {
    if (work.values == nullptr) {
      for (std::size_t i = 0; i < work.count; ++i) {
        work.values_to[i] = static_cast<V>(work.first_index + i);
      }
    } else if (work.values != work.values_to) {
      std::copy_n(work.values, work.count, work.values_to);
    }
  }
}

// Returns true if many keys share their digits with others, by the counts of the keys' digits: the
// expected number of others is above a half. Where the lower digit has at most kLeastValues values,
// keys that share their digits are equal.
inline bool is_crowded(const DigitPlan& plan, std::size_t count, const std::uint32_t* low,
                       const std::uint32_t* high) {
  constexpr std::size_t kLeastValues = 64;
  double squares = 0;
  for (std::size_t i = 0; i < plan.high.values(); ++i) {
    squares += static_cast<double>(high[i]) * static_cast<double>(high[i]);
  }
  const double sharing =
      squares / (static_cast<double>(count) * static_cast<double>(plan.low.values()));
  if (sharing <= 0.5) return false;
  std::size_t low_values = 0;
  for (std::size_t i = 0; i < plan.low.values(); ++i) low_values += low[i] > 0;
  return low_values > kLeastValues;
}

// Returns false if kMayGiveUp and digits are slow for these keys.
template <bool kMayGiveUp, bool kMakesIndices, class K, class V>
bool sort_by_digits(const BucketWork<K, V>& work, const DigitPlan& plan) {
  auto* const low = reinterpret_cast<std::uint32_t*>(work.scratch);
  std::uint32_t* const high = low + (std::size_t{1} << kMostDigitBits);
  auto* const sorted_by_low =
      reinterpret_cast<Element<K, V>*>(high + (std::size_t{1} << kMostDigitBits));
  const K* const keys = work.keys;
  const V* const values = work.values;
  const std::size_t first_index = work.first_index;
  const std::size_t count = work.count;
  count_two_digits(keys, count, plan, low, high);
  if (kMayGiveUp && !plan.is_whole && is_crowded(plan, count, low, high)) return false;
  add_up(low, plan.low.values());
  add_up(high, plan.high.values());
  const DigitOf<K> low_of(plan.low);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    Element<K, V> element;
    element.key = keys[i];
    if constexpr (Elements<K, V>::kHasValues) {
      element.value = kMakesIndices ? static_cast<V>(first_index + i) : values[i];
    }
    sorted_by_low[low[low_of(element.key)]++] = element;
  }
  const Elements<K, V> to{work.keys_to, work.values_to};
  const DigitOf<K> high_of(plan.high);
  if (plan.high.bits == 0) {
    for (std::size_t i = 0; i < count; ++i) to.set(i, sorted_by_low[i]);
    return true;
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    const Element<K, V> element = sorted_by_low[i];
    to.set(high[high_of(element.key)]++, element);
  }
  return true;
}

// Sorts without the last step, which maps ordered keys back. Returns false, and has written
// nothing, if kMayGiveUp and digits are slow for these keys.
template <bool kMayGiveUp, class K, class V>
bool try_sort_ordered(const BucketWork<K, V>& work) {
  const KeyFacts<K> facts = facts_of(work.keys, work.count);
  if (facts.is_sorted) {
    copy_elements(work);
    return true;
  }
  if (work.count <= kMostToInsert) {
    copy_elements(work);
    insertion_sort(Elements<K, V>{work.keys_to, work.values_to}, work.count);
    return true;
  }
  // With values, less of the caches is left for the digits' counts and targets: ten thousand keys
  // take as long with 4 to 6, pairs 1.08 times as long with 6 as with 4
  // (docs/experiments/cpu_sort_bucket_size.md).
  constexpr int kSpareBits = Elements<K, V>::kHasValues ? 4 : 5;
  const DigitPlan plan =
      plan_digits(static_cast<int>(std::bit_width(facts.differing)), work.count, kSpareBits);
  const bool makes_indices = Elements<K, V>::kHasValues && work.values == nullptr;
  const bool is_sorted = makes_indices ? sort_by_digits<kMayGiveUp, true>(work, plan)
                                       : sort_by_digits<kMayGiveUp, false>(work, plan);
  if (is_sorted && !plan.is_whole) sort_runs(work, plan.low.shift);
  return is_sorted;
}

template <class K, class V>
void sort_ordered(const BucketWork<K, V>& work) {
  try_sort_ordered<false>(work);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

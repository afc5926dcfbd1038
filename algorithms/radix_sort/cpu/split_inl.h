// SPDX-License-Identifier: Apache-2.0

// Partitions keys in two by a pivot, for processors that compress vectors of them at once. Included
// by radix_sort_simd.cc, which is compiled once per target.
//
// Keys of 8 bytes are sorted by digits: with half as many a vector, two Xeon cores sort 165 to 189
// million a second by pivots and 249 to 281 by digits, of 5e4 to 2e5
// (docs/experiments/when_to_sort_by_pivots.md). Highway 1.0.3 compresses them by a table, which is
// slower.

#include <millrace/algorithms/radix_sort/cpu/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/radix_sort_simd.h>

#include <hwy/highway.h>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SPLIT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SPLIT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SPLIT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SPLIT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

template <class K>
inline constexpr std::size_t (*kSplit)(const SplitWork<K>&) = nullptr;

#if HWY_TARGET <= HWY_AVX3

template <bool kIsOrdered>
std::size_t split_keys(const SplitWork<std::uint32_t>& work) {
  using K = std::uint32_t;
  const KeyVectors<K> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kVectors = 4;
  const VectorBits<K> bits(work.bits);
  const auto pivot = hn::Set(d, work.pivot);
  const K* HWY_RESTRICT keys = work.keys;
  K* front = work.keys_to;
  K* back = work.keys_to + work.count;
  std::size_t i = 0;
  // Whole vectors are written in front; their upper lanes are unspecified, so as many keys as a
  // vector has must be left to overwrite them.
  for (; i + (kVectors + 1) * lanes <= work.count; i += kVectors * lanes) {
    hn::Vec<KeyVectors<K>> ordered[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      ordered[v] = hn::LoadU(d, keys + i + v * lanes);
      if constexpr (!kIsOrdered) ordered[v] = bits.ordered(ordered[v]);
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto is_behind = hn::Lt(pivot, ordered[v]);
      const std::size_t behind = hn::CountTrue(d, is_behind);
      back -= behind;
      hn::StoreU(hn::CompressNot(ordered[v], is_behind), d, front);
      hn::BlendedStore(hn::Compress(ordered[v], is_behind), hn::FirstN(d, behind), d, back);
      front += lanes - behind;
    }
  }
  for (; i < work.count; ++i) {
    const K key = work.bits.ordered(keys[i]);
    *(key <= work.pivot ? front++ : --back) = key;
  }
  return static_cast<std::size_t>(front - work.keys_to);
}

std::size_t split(const SplitWork<std::uint32_t>& work) {
  return work.bits.is_identity() ? split_keys<true>(work) : split_keys<false>(work);
}
template <>
inline constexpr std::size_t (*kSplit<std::uint32_t>)(const SplitWork<std::uint32_t>&) = &split;

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

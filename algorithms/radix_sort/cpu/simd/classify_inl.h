// SPDX-License-Identifier: Apache-2.0

// The search of keys' buckets in a tree of splitters, by whole vectors. A part of
// radix_sort_simd.cc, which is compiled once per target.

#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/partition_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>

#include <hwy/highway.h>

#include <algorithm>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_CLASSIFY_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_CLASSIFY_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_CLASSIFY_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_CLASSIFY_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

// Returns how many splitters of a node are at most the key.
template <class K>
HWY_INLINE std::size_t count_up_to(K key, const K* node) {
  const KeyVectors<K> d;
  const auto keys = hn::Set(d, key);
  std::size_t above = 0;
  for (std::size_t i = 0; i < SplitterTree<K>::kFanout; i += hn::Lanes(d)) {
    above += hn::CountTrue(d, hn::Lt(keys, hn::LoadU(d, node + i)));
  }
  return SplitterTree<K>::kFanout - above;
}

template <class K>
void classify(const ClassifyWork<K>& work) {
  // Two sets of counts, because to increase one twice in a row waits for the first store.
  std::uint32_t odd[std::size_t{1} << SplitterTree<K>::kMostBits];
  std::uint32_t* const even = work.counts;
  const std::size_t buckets = work.splitters->buckets();
  std::fill_n(even, buckets, 0);
  std::fill_n(odd, buckets, 0);
  const K* const keys = work.keys;
  const K* const root = work.splitters->root();
  const K* const leaves = work.splitters->leaves();
  std::uint8_t* const numbers = work.buckets;
  const std::size_t count = work.count;
  with_order(work.bits, [=, &odd](auto ordered) HWY_ATTR {
    const auto classify_one = [=](std::size_t i, std::uint32_t* counts) HWY_ATTR {
      const K key = ordered(keys[i]);
      const std::size_t leaf = count_up_to(key, root) * SplitterTree<K>::kFanout;
      // The highest key is not below what is behind the splitters.
      const std::size_t bucket = std::min(leaf + count_up_to(key, leaves + leaf), buckets - 1);
      numbers[i] = static_cast<std::uint8_t>(bucket);
      ++counts[bucket];
    };
    std::size_t i = 0;
#pragma GCC unroll 2
    for (; i + 2 <= count; i += 2) {
      classify_one(i, even);
      classify_one(i + 1, odd);
    }
    if (i < count) classify_one(i, even);
  });
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) even[bucket] += odd[bucket];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

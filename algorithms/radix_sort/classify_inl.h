// The search of keys' buckets in a tree of splitters, by whole vectors. A part of
// radix_sort_simd.cc, which is compiled once per target.

#include <hwy/highway.h>
#include <millrace/algorithms/radix_sort/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/radix_sort_simd.h>

#include <algorithm>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CLASSIFY_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CLASSIFY_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CLASSIFY_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CLASSIFY_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

template <class K>
void classify(const ClassifyWork<K>& work) {
  const KeyVectors<K> d;
  const hn::RebindToSigned<KeyVectors<K>> di;
  using Index = hn::TFromD<decltype(di)>;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kVectors = 4;  // Their gathers overlap.
  // Two sets of counts, because to increase one twice in a row waits for the first store.
  constexpr std::size_t kMostBuckets = 256;
  std::uint32_t odd[kMostBuckets];
  std::uint32_t* const even = work.counts;
  const int levels = work.levels;
  const std::size_t buckets = std::size_t{1} << levels;
  std::fill_n(even, buckets, 0);
  std::fill_n(odd, buckets, 0);
  const VectorBits<K> bits(work.bits);
  const K* HWY_RESTRICT nodes = work.nodes;
  std::uint8_t* HWY_RESTRICT numbers = work.buckets;
  const auto one = hn::Set(di, Index{1});
  const auto first_leaf = static_cast<Index>(buckets);
  alignas(kCacheLine) Index leaves[kVectors * kCacheLine / sizeof(K)];
  std::size_t i = 0;
  for (; i + kVectors * lanes <= work.count; i += kVectors * lanes) {
    hn::Vec<KeyVectors<K>> keys[kVectors];
    hn::Vec<decltype(di)> node[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      keys[v] = bits.ordered(hn::LoadU(d, work.keys + i + v * lanes));
      node[v] = one;
    }
    for (int level = 0; level < levels; ++level) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto is_below = hn::Lt(keys[v], hn::GatherIndex(d, nodes, node[v]));
        const auto right = hn::Add(hn::Add(node[v], node[v]), one);
        // Of lanes that are below, all bits are set: -1.
        node[v] = hn::Add(right, hn::BitCast(di, hn::VecFromMask(d, is_below)));
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(node[v], di, leaves + v * lanes);
    for (std::size_t j = 0; j < kVectors * lanes; j += 2) {
      const auto first = static_cast<std::uint8_t>(leaves[j] - first_leaf);
      const auto second = static_cast<std::uint8_t>(leaves[j + 1] - first_leaf);
      numbers[i + j] = first;
      numbers[i + j + 1] = second;
      ++even[first];
      ++odd[second];
    }
  }
  for (; i < work.count; ++i) {
    const K key = work.bits.ordered(work.keys[i]);
    std::size_t node = 1;
    for (int level = 0; level < levels; ++level) node = 2 * node + (nodes[node] <= key ? 1 : 0);
    numbers[i] = static_cast<std::uint8_t>(node - buckets);
    ++even[node - buckets];
  }
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) even[bucket] += odd[bucket];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0

// Sorts as many keys as 64 vectors have: blocks of 16 vectors in registers, which bitonic merges
// join in the first-level cache. Included by radix_sort_simd.cc, which is compiled once per target.
//
// No step depends on the keys, so no branch is mispredicted: a thousand keys take 0.7 of the time
// that partitions down to a block take (docs/experiments/when_to_sort_by_pivots.md).

#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/sorting_network_inl.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_MERGE_NETWORK_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_MERGE_NETWORK_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_MERGE_NETWORK_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_MERGE_NETWORK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX2

template <class K>
inline constexpr std::size_t kBlockKeys = kMostRows* kLanes<K>;

inline constexpr std::size_t kMostBlocks = 4;

// Most keys that sort_by_network() sorts.
template <class K>
inline constexpr std::size_t kMostInNetwork = kMostBlocks* kBlockKeys<K>;

// Compares rows kFirst to kDistance - 1 of each 2 * kDistance rows with those kDistance behind
// them.
template <std::size_t kDistance, std::size_t kFirst, class K>
HWY_INLINE void compare_at(KeyMatrix<K, kMostRows>& keys) {
  if constexpr (kFirst < kDistance) {
    compare_rows<kFirst, kMostRows, kDistance>(keys);
    compare_at<kDistance, kFirst + 1>(keys);
  }
}

// Merges each 2 * kDistance rows, whose keys are bitonic, so that they ascend from row to row.
template <std::size_t kDistance, class K>
HWY_INLINE void merge_bitonic_rows(KeyMatrix<K, kMostRows>& keys) {
  if constexpr (kDistance > 0) {
    compare_at<kDistance, 0>(keys);
    merge_bitonic_rows<kDistance / 2>(keys);
  }
}

template <std::size_t... kRow, class K>
HWY_INLINE void merge_bitonic(KeyMatrix<K, kMostRows>& keys, std::index_sequence<kRow...>) {
  merge_bitonic_rows<kMostRows / 2>(keys);
  (merge_lanes<kLanes<K> / 2, K>(keys.rows[kRow]), ...);
}

// Sorts a block whose keys are bitonic. Writes the first `count` of them; `to` may be the block.
template <class K>
HWY_NOINLINE void sort_bitonic_block(const K* block, std::size_t count, K* to) {
  constexpr std::make_index_sequence<kMostRows> kAll;
  auto matrix = load_matrix<kMostRows>(block, kBlockKeys<K>, kAll);
  merge_bitonic(matrix, kAll);
  if (count >= kBlockKeys<K>) {
    store_matrix<kMostRows>(matrix, count, to, kAll);
  } else {
    store_matrix<0>(matrix, count, to, kAll);
  }
}

// Compares the first half of `count` keys with the mirror image of the second. Both are sorted, so
// each half is bitonic afterwards, and no key of the first is larger than one of the second.
template <class K>
HWY_INLINE void compare_mirrored_halves(K* keys, std::size_t count) {
  const KeyVectors<K> d;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count / 2; i += kLanes<K>) {
    K* const low = keys + i;
    K* const high = keys + count - kLanes<K> - i;
    const auto row = hn::Load(d, low);
    const auto mirrored = hn::Reverse(d, hn::Load(d, high));
    hn::Store(hn::Min(row, mirrored), d, low);
    hn::Store(hn::Reverse(d, hn::Max(row, mirrored)), d, high);
  }
}

// Compares the first half of `count` keys with the second, key by key.
template <class K>
HWY_INLINE void compare_halves(K* keys, std::size_t count) {
  const KeyVectors<K> d;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count / 2; i += kLanes<K>) {
    auto low = hn::Load(d, keys + i);
    auto high = hn::Load(d, keys + count / 2 + i);
    compare<K>(low, high);
    hn::Store(low, d, keys + i);
    hn::Store(high, d, keys + count / 2 + i);
  }
}

// Sorts every block of kBlocks, whose keys are bitonic. Writes the first `count` keys to `to`,
// which may be `keys`.
template <std::size_t kBlocks, class K>
HWY_INLINE void sort_bitonic_blocks(K* keys, std::size_t count, K* to) {
  if constexpr (kBlocks == 1) {
    if (count > 0) sort_bitonic_block(keys, count, to);
  } else {
    constexpr std::size_t kHalf = kBlocks / 2 * kBlockKeys<K>;
    compare_halves(keys, 2 * kHalf);
    sort_bitonic_blocks<kBlocks / 2>(keys, std::min(count, kHalf), to);
    if (count > kHalf) {
      sort_bitonic_blocks<kBlocks / 2>(keys + kHalf, count - kHalf, to + kHalf);
    }
  }
}

// Merges the sorted halves of kBlocks blocks likewise.
template <std::size_t kBlocks, class K>
HWY_INLINE void merge_blocks(K* keys, std::size_t count, K* to) {
  constexpr std::size_t kHalf = kBlocks / 2 * kBlockKeys<K>;
  compare_mirrored_halves(keys, 2 * kHalf);
  sort_bitonic_blocks<kBlocks / 2>(keys, std::min(count, kHalf), to);
  if (count > kHalf) sort_bitonic_blocks<kBlocks / 2>(keys + kHalf, count - kHalf, to + kHalf);
}

// Sorts `count` keys, at least one, into kBlocks blocks, and fills these up with the largest key.
template <std::size_t kBlocks, class K>
HWY_NOINLINE void sort_into_blocks(const K* keys, std::size_t count, K* blocks) {
  constexpr std::size_t kKeys = kBlocks * kBlockKeys<K>;
  if constexpr (kBlocks == 1) {
    if (count < kKeys) std::fill_n(blocks, kKeys, static_cast<K>(~K{0}));
    sort_in_rows<kMostRows>(keys, count, blocks, kKeys);
  } else {
    constexpr std::size_t kHalf = kKeys / 2;
    sort_into_blocks<kBlocks / 2>(keys, std::min(count, kHalf), blocks);
    if (count > kHalf) {
      sort_into_blocks<kBlocks / 2>(keys + kHalf, count - kHalf, blocks + kHalf);
      merge_blocks<kBlocks>(blocks, kKeys, blocks);
    } else {
      std::fill_n(blocks + kHalf, kHalf, static_cast<K>(~K{0}));
    }
  }
}

// Sorts more keys than half of kBlocks blocks have, and no more than all of them.
template <std::size_t kBlocks, class K>
HWY_NOINLINE void sort_by_blocks(const K* keys, std::size_t count, K* to) {
  constexpr std::size_t kHalf = kBlocks / 2 * kBlockKeys<K>;
  alignas(kCacheLine) K blocks[2 * kHalf];
  sort_into_blocks<kBlocks / 2>(keys, kHalf, blocks);
  sort_into_blocks<kBlocks / 2>(keys + kHalf, count - kHalf, blocks + kHalf);
  merge_blocks<kBlocks>(blocks, count, to);
}

// Sorts at least one and at most kMostInNetwork keys. `keys` and `to` are the same or do not
// overlap.
template <class K>
HWY_INLINE void sort_by_network(const K* keys, std::size_t count, K* to) {
  if (count <= kBlockKeys<K>) {
    sort_in_rows<kMostRows>(keys, count, to, count);
  } else if (count <= 2 * kBlockKeys<K>) {
    sort_by_blocks<2>(keys, count, to);
  } else {
    sort_by_blocks<4>(keys, count, to);
  }
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

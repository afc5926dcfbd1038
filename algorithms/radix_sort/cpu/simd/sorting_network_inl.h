// SPDX-License-Identifier: Apache-2.0

// Sorts as many keys as 16 vectors have by a network of comparators, in registers. Included by
// radix_sort_simd.cc, which is compiled once per target.
//
// The keys are a matrix with a vector as each row. First each column is sorted, by Batcher's
// odd-even merge sort. Then bitonic merges join columns to groups of 2, 4, ... of them. The keys of
// a sorted group ascend from lane to lane of a row, and then from row to row.

#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/split_inl.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SORTING_NETWORK_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SORTING_NETWORK_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SORTING_NETWORK_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SORTING_NETWORK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX2

// Indices of rows and distances are template arguments, so that the compiler keeps rows in
// registers.
template <class K, std::size_t kRows>
struct KeyMatrix {
  KeyVector<K> rows[kRows];
};

inline constexpr std::size_t kMostRows = 16;

// Puts the smaller of two keys into `low`, in every lane.
template <class K>
HWY_INLINE void compare(KeyVector<K>& low, KeyVector<K>& high) {
  const KeyVector<K> least = hn::Min(low, high);
  high = hn::Max(low, high);
  low = least;
}

// Compares rows first + i and first + i + kDistance for i = kDistance * (0, 2, 4, ...), below kEnd.
template <std::size_t kFirst, std::size_t kEnd, std::size_t kDistance, class K, std::size_t kRows>
HWY_INLINE void compare_rows(KeyMatrix<K, kRows>& keys) {
  if constexpr (kFirst + kDistance < kEnd) {
    compare<K>(keys.rows[kFirst], keys.rows[kFirst + kDistance]);
    compare_rows<kFirst + 2 * kDistance, kEnd, kDistance>(keys);
  }
}

// Merges the rows kFirst + kDistance * (0, 2, 4, ...) with those at kDistance * (1, 3, 5, ...), of
// kCount rows. Each of the two is sorted in every column.
template <std::size_t kFirst, std::size_t kCount, std::size_t kDistance, class K, std::size_t kRows>
HWY_INLINE void merge_rows(KeyMatrix<K, kRows>& keys) {
  if constexpr (2 * kDistance < kCount) {
    merge_rows<kFirst, kCount, 2 * kDistance>(keys);
    merge_rows<kFirst + kDistance, kCount, 2 * kDistance>(keys);
    compare_rows<kFirst + kDistance, kFirst + kCount, kDistance>(keys);
  } else {
    compare<K>(keys.rows[kFirst], keys.rows[kFirst + kDistance]);
  }
}

// Sorts every column of kCount rows.
template <std::size_t kFirst, std::size_t kCount, class K, std::size_t kRows>
HWY_INLINE void sort_columns(KeyMatrix<K, kRows>& keys) {
  if constexpr (kCount > 1) {
    sort_columns<kFirst, kCount / 2>(keys);
    sort_columns<kFirst + kCount / 2, kCount / 2>(keys);
    merge_rows<kFirst, kCount, 1>(keys);
  }
}

// Returns the vector whose lane i is lane i ^ kXor of `keys`.
template <std::size_t kXor, class K>
HWY_INLINE KeyVector<K> swap_lanes(KeyVector<K> keys) {
  const KeyVectors<K> d;
  if constexpr (kXor == 1) {
    return hn::Reverse2(d, keys);
  } else if constexpr (kXor == 2 && sizeof(K) == 4) {
    return hn::Shuffle1032(keys);
  } else if constexpr (kXor == 3 && sizeof(K) == 4) {
    return hn::Shuffle0123(keys);
  } else {
    const hn::RebindToSigned<KeyVectors<K>> d_index;
    using Index = hn::TFromD<decltype(d_index)>;
    const auto lanes = hn::Xor(hn::Iota(d_index, 0), hn::Set(d_index, static_cast<Index>(kXor)));
    return hn::TableLookupLanes(keys, hn::IndicesFromVec(d, lanes));
  }
}

// Compares lanes i and i ^ kXor; the larger key goes to the lane whose number has the bit kUpper.
template <std::size_t kXor, std::size_t kUpper, class K>
HWY_INLINE void compare_lanes(KeyVector<K>& row) {
  const KeyVectors<K> d;
  const KeyVector<K> others = swap_lanes<kXor, K>(row);
  const auto is_upper = hn::TestBit(hn::Iota(d, 0), hn::Set(d, static_cast<K>(kUpper)));
  row = hn::IfThenElse(is_upper, hn::Max(row, others), hn::Min(row, others));
}

// Sorts every group of 2 * kDistance lanes, which is bitonic.
template <std::size_t kDistance, class K>
HWY_INLINE void merge_lanes(KeyVector<K>& row) {
  if constexpr (kDistance > 0) {
    compare_lanes<kDistance, kDistance, K>(row);
    merge_lanes<kDistance / 2, K>(row);
  }
}

// Compares row i with the mirror image of row kCount - 1 - i, in each group of kGroup columns. The
// smaller keys go to the first half of the rows.
template <std::size_t kGroup, std::size_t kFirst, std::size_t kCount, std::size_t kRow, class K,
          std::size_t kRows>
HWY_INLINE void compare_mirrored(const KeyMatrix<K, kRows>& from, KeyMatrix<K, kRows>& to) {
  if constexpr (kRow < kCount / 2) {
    const KeyVector<K> row = from.rows[kFirst + kRow];
    const KeyVector<K> mirrored = swap_lanes<kGroup - 1, K>(from.rows[kFirst + kCount - 1 - kRow]);
    to.rows[kFirst + kRow] = hn::Min(row, mirrored);
    to.rows[kFirst + kCount / 2 + kRow] = hn::Max(row, mirrored);
    compare_mirrored<kGroup, kFirst, kCount, kRow + 1>(from, to);
  }
}

// Merges the two halves of every group of kGroup columns, of kCount rows.
template <std::size_t kGroup, std::size_t kFirst, std::size_t kCount, class K, std::size_t kRows>
HWY_INLINE void merge_halves(KeyMatrix<K, kRows>& keys) {
  if constexpr (kCount > 1) {
    const KeyMatrix<K, kRows> from = keys;
    compare_mirrored<kGroup, kFirst, kCount, 0>(from, keys);
    merge_halves<kGroup, kFirst, kCount / 2>(keys);
    merge_halves<kGroup, kFirst + kCount / 2, kCount / 2>(keys);
  } else {
    compare_lanes<kGroup - 1, kGroup / 2, K>(keys.rows[kFirst]);
    merge_lanes<kGroup / 4, K>(keys.rows[kFirst]);
  }
}

// Merges groups of kGroup / 2 sorted columns until one has all columns.
template <std::size_t kGroup, class K, std::size_t kRows>
HWY_INLINE void merge_columns(KeyMatrix<K, kRows>& keys) {
  if constexpr (kGroup <= kLanes<K>) {
    merge_halves<kGroup, 0, kRows>(keys);
    merge_columns<2 * kGroup>(keys);
  }
}

template <class K, std::size_t kRows>
HWY_INLINE void sort_matrix(KeyMatrix<K, kRows>& keys) {
  sort_columns<0, kRows>(keys);
  merge_columns<2>(keys);
}

// Returns the lanes of a row that are among `count` keys.
template <class K>
HWY_INLINE KeyMask<K> lanes_among(std::size_t row, std::size_t count) {
  const std::size_t begin = row * kLanes<K>;
  return hn::FirstN(KeyVectors<K>(), count > begin ? std::min(count - begin, kLanes<K>) : 0);
}

// Returns a row of `count` keys; lanes past them have the largest key. The first kWhole rows are
// there, and are read faster.
template <std::size_t kRow, std::size_t kWhole, class K>
HWY_INLINE KeyVector<K> load_row(const K* keys, std::size_t count) {
  const KeyVectors<K> d;
  const K* const row = keys + kRow * kLanes<K>;
  if constexpr (kRow < kWhole) return hn::LoadU(d, row);
  const auto is_there = lanes_among<K>(kRow, count);
  return hn::IfThenElse(is_there, hn::MaskedLoad(is_there, d, row),
                        hn::Set(d, static_cast<K>(~K{0})));
}

// Writes the keys of a row that are among `count`, of which the first kWhole rows are.
template <std::size_t kRow, std::size_t kWhole, class K>
HWY_INLINE void store_row(KeyVector<K> row, std::size_t count, K* to) {
  const KeyVectors<K> d;
  if constexpr (kRow < kWhole) {
    hn::StoreU(row, d, to + kRow * kLanes<K>);
  } else {
    hn::BlendedStore(row, lanes_among<K>(kRow, count), d, to + kRow * kLanes<K>);
  }
}

template <std::size_t kWhole, class K, std::size_t... kRow>
HWY_INLINE KeyMatrix<K, sizeof...(kRow)> load_matrix(const K* keys, std::size_t count,
                                                     std::index_sequence<kRow...>) {
  return {{load_row<kRow, kWhole>(keys, count)...}};
}

template <std::size_t kWhole, class K, std::size_t... kRow>
HWY_INLINE void store_matrix(const KeyMatrix<K, sizeof...(kRow)>& from, std::size_t count, K* to,
                             std::index_sequence<kRow...>) {
  (store_row<kRow, kWhole>(from.rows[kRow], count, to), ...);
}

// Sorts `count` keys, which are more than half of those that kRows rows have. `keys` and `to` are
// the same or do not overlap. Writes no more than `capacity` keys, which is at least `count`: the
// sorted ones, and behind them the largest key up to the end of the rows.
template <std::size_t kRows, class K>
HWY_NOINLINE void sort_rows(const K* keys, std::size_t count, K* to, std::size_t capacity) {
  constexpr std::make_index_sequence<kRows> kAll;
  KeyMatrix<K, kRows> matrix = load_matrix<kRows / 2>(keys, count, kAll);
  sort_matrix(matrix);
  store_matrix<kRows / 2>(matrix, capacity, to, kAll);
}

// Sorts likewise at least one key, and at most those of kRows rows, in the least power of two
// of rows.
template <std::size_t kRows, class K>
HWY_INLINE void sort_in_rows(const K* keys, std::size_t count, K* to, std::size_t capacity) {
  if constexpr (kRows > 1) {
    if (count <= kRows / 2 * kLanes<K>) return sort_in_rows<kRows / 2>(keys, count, to, capacity);
  }
  sort_rows<kRows>(keys, count, to, capacity);
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

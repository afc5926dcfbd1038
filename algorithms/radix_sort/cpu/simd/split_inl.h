// SPDX-License-Identifier: Apache-2.0

// Partitions keys in two by a pivot, for processors with vectors of 32 bytes and more. Included by
// radix_sort_simd.cc, which is compiled once per target.
//
// The lanes of a vector are separated, keys in front of the pivot and keys behind it, and written
// to both ends of the output. Highway 1.0.3 takes the order of lanes from a local table, which gcc
// 12 copies to the stack for each vector; so lanes of 8 bytes are compressed by AVX-512's
// instruction, and AVX2 has tables here.

#include <millrace/algorithms/radix_sort/cpu/simd/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/lane_orders.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLIT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLIT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLIT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_SPLIT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX2

template <class K>
using KeyVector = hn::Vec<KeyVectors<K>>;

template <class K>
using KeyMask = hn::Mask<KeyVectors<K>>;

template <class K>
inline constexpr std::size_t kLanes = hn::MaxLanes(KeyVectors<K>());

#if HWY_TARGET <= HWY_AVX3

// Returns the lanes of `chosen`, then unspecified ones.
template <class K>
HWY_INLINE KeyVector<K> compress(KeyVector<K> keys, KeyMask<K> chosen) {
  if constexpr (sizeof(K) == 8) {
    return {_mm512_maskz_compress_epi64(chosen.raw, keys.raw)};
  } else {
    return hn::Compress(keys, chosen);
  }
}

#else

// Returns the lanes of `chosen`, then the others.
template <class K>
HWY_INLINE KeyVector<K> compress(KeyVector<K> keys, KeyMask<K> chosen) {
  const KeyVectors<K> d;
  const hn::RepartitionToNarrow<hn::CappedTag<std::uint64_t, 4>> d32;
  const hn::Rebind<std::uint8_t, decltype(d32)> d8;
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, chosen, bits);
  const auto order = hn::PromoteTo(d32, hn::LoadU(d8, kLaneOrders<K>[bits[0]].data()));
  return hn::BitCast(d,
                     hn::TableLookupLanes(hn::BitCast(d32, keys), hn::IndicesFromVec(d32, order)));
}

#endif

// The ends of the output, between which nothing has been written yet.
template <class K>
struct SplitEnds {
  K* front;
  K* back;
};

// Writes the lanes behind the pivot to the back and all others to the front. Lanes that are written
// between the ends are overwritten later: at least two vectors' keys are missing there.
template <class K>
HWY_INLINE void write_both(KeyVector<K> keys, KeyMask<K> is_behind, SplitEnds<K>& ends) {
  const KeyVectors<K> d;
  const std::size_t behind = hn::CountTrue(d, is_behind);
  const auto in_front = compress<K>(keys, hn::Not(is_behind));
  hn::StoreU(in_front, d, ends.front);
#if HWY_TARGET <= HWY_AVX3
  ends.back -= behind;
  hn::BlendedStore(compress<K>(keys, is_behind), hn::FirstN(d, behind), d, ends.back);
#else
  hn::StoreU(in_front, d, ends.back - kLanes<K>);
  ends.back -= behind;
#endif
  ends.front += kLanes<K> - behind;
}

// Writes `count` lanes alike, and nothing else.
template <class K>
HWY_INLINE void write_last(KeyVector<K> keys, std::size_t count, KeyMask<K> is_behind,
                           SplitEnds<K>& ends) {
  const KeyVectors<K> d;
  const auto is_there = hn::FirstN(d, count);
  const auto is_behind_there = hn::And(is_behind, is_there);
  const std::size_t behind = hn::CountTrue(d, is_behind_there);
  const auto in_front = compress<K>(keys, hn::AndNot(is_behind, is_there));
  hn::BlendedStore(in_front, hn::FirstN(d, count - behind), d, ends.front);
  ends.front += count - behind;
  ends.back -= behind;
  hn::BlendedStore(compress<K>(keys, is_behind_there), hn::FirstN(d, behind), d, ends.back);
}

// Vectors that are read at once.
inline constexpr std::size_t kSplitVectors = 4;

template <class K>
inline constexpr std::size_t kSplitKeys = kSplitVectors* kLanes<K>;

// Partitions kSplitKeys keys, mapped by `ordered`. Without the pragmas gcc 12 has the vectors in
// memory, and a pass takes 2.2 times as long.
template <class K, class Ordered>
HWY_INLINE void split_vectors(const K* keys, const Ordered& ordered, KeyVector<K> pivot,
                              SplitEnds<K>& ends) {
  const KeyVectors<K> d;
  KeyVector<K> vectors[kSplitVectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kSplitVectors; ++v) {
    vectors[v] = ordered(hn::LoadU(d, keys + v * kLanes<K>));
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kSplitVectors; ++v) {
    write_both<K>(vectors[v], hn::Lt(pivot, vectors[v]), ends);
  }
}

// Partitions keys that fill the space between the ends.
template <class K, class Ordered>
HWY_INLINE void split_rest(const K* keys, std::size_t count, const Ordered& ordered,
                           KeyVector<K> pivot, SplitEnds<K>& ends) {
  const KeyVectors<K> d;
  std::size_t i = 0;
  for (; i + 2 * kLanes<K> <= count; i += kLanes<K>) {
    const auto vector = ordered(hn::LoadU(d, keys + i));
    write_both<K>(vector, hn::Lt(pivot, vector), ends);
  }
  for (; i < count; i += kLanes<K>) {
    const std::size_t left = std::min(count - i, kLanes<K>);
    const auto vector = ordered(hn::MaskedLoad(hn::FirstN(d, left), d, keys + i));
    write_last<K>(vector, left, hn::Lt(pivot, vector), ends);
  }
}

template <bool kIsOrdered, class K>
std::size_t split_to(const SplitWork<K>& work) {
  const VectorBits<K> bits(work.bits);
  const auto ordered = [&](KeyVector<K> keys)
                           HWY_ATTR { return kIsOrdered ? keys : bits.ordered(keys); };
  const auto pivot = hn::Set(KeyVectors<K>(), work.pivot);
  SplitEnds<K> ends{work.keys_to, work.keys_to + work.count};
  std::size_t i = 0;
  for (; i + kSplitKeys<K> + kLanes<K> <= work.count; i += kSplitKeys<K>) {
    split_vectors(work.keys + i, ordered, pivot, ends);
  }
  split_rest(work.keys + i, work.count - i, ordered, pivot, ends);
  return static_cast<std::size_t>(ends.front - work.keys_to);
}

// Partitions ordered keys in place. The first and the last vectors are taken out; then vectors are
// read at the end that has less space behind what is written there, so that both ends have space
// for what is read.
template <class K>
std::size_t split_in_place(K* keys, std::size_t count, K pivot_key) {
  constexpr std::size_t kBothEnds = 2 * kSplitKeys<K>;
  const auto ordered = [](KeyVector<K> vector) HWY_ATTR { return vector; };
  const auto pivot = hn::Set(KeyVectors<K>(), pivot_key);
  const std::size_t taken =
      count < kBothEnds ? count : kBothEnds + (count - kBothEnds) % kSplitKeys<K>;
  const std::size_t taken_left = std::min(taken, kSplitKeys<K>);
  alignas(kCacheLine) K rest[kBothEnds + kSplitKeys<K>];
  const K* left = keys + taken_left;
  const K* right = keys + (count - (taken - taken_left));
  std::copy_n(keys, taken_left, rest);
  std::copy_n(right, taken - taken_left, rest + taken_left);
  SplitEnds<K> ends{keys, keys + count};
  while (left != right) {
    const bool is_left = left - ends.front <= ends.back - right;
    right -= is_left ? 0 : kSplitKeys<K>;
    const K* const next = is_left ? left : right;
    left += is_left ? kSplitKeys<K> : 0;
    split_vectors(next, ordered, pivot, ends);
  }
  split_rest(rest, taken, ordered, pivot, ends);
  return static_cast<std::size_t>(ends.front - keys);
}

template <class K>
std::size_t split(const SplitWork<K>& work) {
  if (work.keys == work.keys_to) return split_in_place(work.keys_to, work.count, work.pivot);
  return work.bits.is_identity() ? split_to<true>(work) : split_to<false>(work);
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

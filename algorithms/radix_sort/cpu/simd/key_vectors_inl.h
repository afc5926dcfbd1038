// SPDX-License-Identifier: Apache-2.0

// Loops over keys by whole vectors. Included by radix_sort_simd.cc, which is compiled once per
// target.

#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <hwy/highway.h>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_KEY_VECTORS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_KEY_VECTORS_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_KEY_VECTORS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_KEY_VECTORS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class K>
using KeyVectors = hn::CappedTag<K, kCacheLine / sizeof(K)>;

// Returns all ones in lanes whose top bit is set.
template <class D, class Vector>
HWY_INLINE Vector sign_fill(D d, Vector keys) {
  const hn::RebindToSigned<D> ds;
  return hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(ds, keys)));
}

// Calls `on_vector(i)` for whole vectors and `on_element(i)` for the rest, from `begin` on.
template <class K, class OnVector, class OnElement>
HWY_INLINE void for_vectors(std::size_t begin, std::size_t end, OnVector on_vector,
                            OnElement on_element) {
  const std::size_t lanes = hn::Lanes(KeyVectors<K>());
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) on_vector(i);
  for (; i < end; ++i) on_element(i);
}

// KeyBits for vectors.
template <class K>
class VectorBits {
  using D = KeyVectors<K>;
  using Vector = hn::Vec<D>;

 public:
  explicit VectorBits(KeyBits<K> bits)
      : flipped_(hn::Set(D(), bits.flipped)),
        if_negative_(hn::Set(D(), bits.flipped_if_negative)) {}

  HWY_INLINE Vector ordered(Vector raw) const {
    return hn::Xor(hn::Xor(raw, flipped_), hn::And(sign_fill(D(), raw), if_negative_));
  }
  HWY_INLINE Vector raw(Vector ordered) const {
    const Vector unflipped = hn::Xor(ordered, flipped_);
    return hn::Xor(unflipped, hn::And(sign_fill(D(), unflipped), if_negative_));
  }

 private:
  Vector flipped_;
  Vector if_negative_;
};

template <class K>
void order_keys(const K* keys, std::size_t count, KeyBits<K> bits, K* to) {
  const KeyVectors<K> d;
  const VectorBits<K> vector_bits(bits);
  for_vectors<K>(
      0, count,
      [&](std::size_t i)
          HWY_ATTR { hn::StoreU(vector_bits.ordered(hn::LoadU(d, keys + i)), d, to + i); },
      [&](std::size_t i) { to[i] = bits.ordered(keys[i]); });
}

template <class K>
void unorder_keys(K* keys, std::size_t count, KeyBits<K> bits) {
  if (bits.is_identity()) return;
  const KeyVectors<K> d;
  const VectorBits<K> vector_bits(bits);
  for_vectors<K>(
      0, count,
      [&](std::size_t i)
          HWY_ATTR { hn::StoreU(vector_bits.raw(hn::LoadU(d, keys + i)), d, keys + i); },
      [&](std::size_t i) { keys[i] = bits.raw(keys[i]); });
}

template <class K>
struct KeyFacts {
  K differing = 0;  // Bits that are not the same in all keys.
  bool is_sorted = true;
};

template <class K>
KeyFacts<K> facts_of(const K* keys, std::size_t count) {
  const KeyVectors<K> d;
  const auto first = hn::Set(d, keys[0]);
  auto differing = hn::Zero(d);
  auto falls = hn::MaskFromVec(hn::Zero(d));
  KeyFacts<K> facts;
  for_vectors<K>(
      1, count,
      [&](std::size_t i) HWY_ATTR {
        const auto here = hn::LoadU(d, keys + i);
        differing = hn::Or(differing, hn::Xor(here, first));
        falls = hn::Or(falls, hn::Lt(here, hn::LoadU(d, keys + i - 1)));
      },
      [&](std::size_t i) {
        facts.differing |= keys[i] ^ keys[0];
        facts.is_sorted = facts.is_sorted && keys[i - 1] <= keys[i];
      });
  alignas(kCacheLine) K lanes[kCacheLine / sizeof(K)];
  hn::Store(differing, d, lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) facts.differing |= lanes[lane];
  facts.is_sorted = facts.is_sorted && hn::AllFalse(d, falls);
  return facts;
}

// Returns the first index from `begin`, at least 1, on whose key equals the one before in the bits
// of `mask`; `count` if there is none.
template <class K>
std::size_t find_repeat(const K* keys, std::size_t begin, std::size_t count, K mask) {
  const KeyVectors<K> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto masks = hn::Set(d, mask);
  std::size_t i = begin;
  for (; i + lanes <= count; i += lanes) {
    const auto changes = hn::Xor(hn::LoadU(d, keys + i), hn::LoadU(d, keys + i - 1));
    const std::intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::And(changes, masks), hn::Zero(d)));
    if (HWY_UNLIKELY(lane >= 0)) return i + static_cast<std::size_t>(lane);
  }
  while (i < count && ((keys[i] ^ keys[i - 1]) & mask) != 0) ++i;
  return i;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

// The parting of keys in two by a pivot, for processors that compress vectors of them at once. A
// part of radix_sort_simd.cc, which is compiled once per target.

#include <hwy/highway.h>
#include <millrace/algorithms/radix_sort/key_vectors_inl.h>
#include <millrace/algorithms/radix_sort/radix_sort_simd.h>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_SPLIT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SPLIT_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SPLIT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_SPLIT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX3

// Keys that `mask` has go to the front. Those of 8 bytes as pairs of 4: Highway 1.0.3 compresses
// lanes of 8 bytes by a table, which g++ copies to the stack for each vector.
template <class K>
hn::Vec<KeyVectors<K>> compress(hn::Vec<KeyVectors<K>> keys, hn::Mask<KeyVectors<K>> mask) {
  const KeyVectors<K> d;
  const hn::Repartition<std::uint32_t, KeyVectors<K>> halves;
  const auto mask_of_halves = hn::MaskFromVec(hn::BitCast(halves, hn::VecFromMask(d, mask)));
  return hn::BitCast(d, hn::Compress(hn::BitCast(halves, keys), mask_of_halves));
}

template <bool kIsOrdered, class K>
std::size_t split_keys(const SplitWork<K>& work) {
  const KeyVectors<K> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kVectors = 4;
  const VectorBits<K> bits(work.bits);
  const auto pivot = hn::Set(d, work.pivot);
  const K* HWY_RESTRICT keys = work.keys;
  K* front = work.keys_to;
  K* back = work.keys_to + work.count;
  std::size_t i = 0;
  // Whole vectors are written in front, whose upper lanes are garbage: as many keys as one has must
  // be left for them.
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
      hn::StoreU(compress<K>(ordered[v], hn::Not(is_behind)), d, front);
      hn::BlendedStore(compress<K>(ordered[v], is_behind), hn::FirstN(d, behind), d, back);
      front += lanes - behind;
    }
  }
  for (; i < work.count; ++i) {
    const K key = work.bits.ordered(keys[i]);
    *(key <= work.pivot ? front++ : --back) = key;
  }
  return static_cast<std::size_t>(front - work.keys_to);
}

template <class K>
std::size_t split(const SplitWork<K>& work) {
  return work.bits.is_identity() ? split_keys<true>(work) : split_keys<false>(work);
}
template <class K>
inline constexpr auto kSplit = &split<K>;

#else

template <class K>
inline constexpr std::size_t (*kSplit)(const SplitWork<K>&) = nullptr;

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif

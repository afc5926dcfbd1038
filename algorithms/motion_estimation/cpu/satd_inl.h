// SPDX-License-Identifier: Apache-2.0

// Sums of absolute transformed differences of 4x4 blocks, in the vectors of the target being
// compiled. A part of motion_refine_simd.cc.

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SATD_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SATD_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SATD_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SATD_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// 16 bytes hold four samples of a row of each of four 4x4 blocks.
using BlockTag = hn::CappedTag<std::uint8_t, 64>;
using BlockBytes = hn::Vec<BlockTag>;

using PairTag = hn::Repartition<std::int16_t, BlockTag>;
using Pairs = hn::Vec<PairTag>;

using SatdTag = hn::Repartition<std::uint32_t, BlockTag>;
using Satds = hn::Vec<SatdTag>;

// Four samples of a row in each 32 bits; for 16-bit samples, two and the other two.
template <class Sample>
struct Fours {
  BlockBytes vectors[sizeof(Sample)];
};

// Sums and differences of two samples and the other two, in each 32 bits.
struct RowPairs {
  Pairs sums;
  Pairs differences;
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3

// Multiplies bytes by signed bytes and adds pairs of products.
#if HWY_TARGET <= HWY_AVX3
HWY_INLINE hn::Vec512<std::int16_t> dot_pairs(hn::Vec512<std::uint8_t> bytes,
                                              hn::Vec512<std::int8_t> factors) {
  return hn::Vec512<std::int16_t>{_mm512_maddubs_epi16(bytes.raw, factors.raw)};
}
#elif HWY_TARGET == HWY_AVX2
HWY_INLINE hn::Vec256<std::int16_t> dot_pairs(hn::Vec256<std::uint8_t> bytes,
                                              hn::Vec256<std::int8_t> factors) {
  return hn::Vec256<std::int16_t>{_mm256_maddubs_epi16(bytes.raw, factors.raw)};
}
#else
HWY_INLINE hn::Vec128<std::int16_t> dot_pairs(hn::Vec128<std::uint8_t> bytes,
                                              hn::Vec128<std::int8_t> factors) {
  return hn::Vec128<std::int16_t>{_mm_maddubs_epi16(bytes.raw, factors.raw)};
}
#endif

HWY_INLINE RowPairs row_pairs(const Fours<std::uint8_t>& row) {
  const hn::Repartition<std::int8_t, BlockTag> d;
  const auto plus_minus = hn::BitCast(d, hn::Set(PairTag(), static_cast<std::int16_t>(0xff01)));
  return {dot_pairs(row.vectors[0], hn::Set(d, 1)), dot_pairs(row.vectors[0], plus_minus)};
}

#else

HWY_INLINE RowPairs row_pairs(const Fours<std::uint8_t>& row) {
  const hn::RebindToUnsigned<PairTag> du;
  const auto samples = hn::BitCast(du, row.vectors[0]);
  const Pairs even = hn::BitCast(PairTag(), hn::And(samples, hn::Set(du, 0xff)));
  const Pairs odd = hn::BitCast(PairTag(), hn::ShiftRight<8>(samples));
  return {hn::Add(even, odd), hn::Sub(even, odd)};
}

#endif

HWY_INLINE RowPairs row_pairs(const Fours<std::uint16_t>& row) {
  const Pairs first = hn::BitCast(PairTag(), row.vectors[0]);
  const Pairs second = hn::BitCast(PairTag(), row.vectors[1]);
  return {hn::Add(first, second), hn::Sub(first, second)};
}

// The Hadamard transform without its last step, which adds and subtracts the 16-bit halves of each
// 32 bits.
struct Transformed {
  Pairs at[8];
};

HWY_INLINE Transformed transform(const RowPairs& r0, const RowPairs& r1, const RowPairs& r2,
                                 const RowPairs& r3) {
  const Pairs s01 = hn::Add(r0.sums, r1.sums);
  const Pairs d01 = hn::Sub(r0.sums, r1.sums);
  const Pairs s23 = hn::Add(r2.sums, r3.sums);
  const Pairs d23 = hn::Sub(r2.sums, r3.sums);
  const Pairs e01 = hn::Add(r0.differences, r1.differences);
  const Pairs f01 = hn::Sub(r0.differences, r1.differences);
  const Pairs e23 = hn::Add(r2.differences, r3.differences);
  const Pairs f23 = hn::Sub(r2.differences, r3.differences);
  return {{hn::Add(s01, s23), hn::Sub(s01, s23), hn::Add(d01, d23), hn::Sub(d01, d23),
           hn::Add(e01, e23), hn::Sub(e01, e23), hn::Add(f01, f23), hn::Sub(f01, f23)}};
}

// Returns half of |a + b| + |a - b| of each pair a, b of `first` in the lower 16 bits of each 32,
// and of `second` in the upper. That is the larger of |a| and |b|, and covers the last step and the
// halving.
HWY_INLINE Pairs larger_halves(Pairs first, Pairs second) {
  const PairTag d;
  const Pairs straight = hn::OddEven(second, first);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  static_cast<void>(d);
  const Pairs crossed{_mm512_shldi_epi32(second.raw, first.raw, 16)};
#else
  const Pairs crossed = hn::Reverse2(d, hn::OddEven(first, second));
#endif
  return hn::Max(straight, crossed);
}

// Returns satd_4x4() of each block; `current` is in the order of Transformed.
HWY_INLINE Satds satd(const std::int16_t* current, const Transformed& other) {
  const PairTag d;
  const auto sizes = [&](std::size_t i) HWY_ATTR {
    return hn::Abs(hn::Sub(other.at[i], hn::Load(d, current + i * hn::Lanes(d))));
  };
  const auto larger = [&](std::size_t i) HWY_ATTR { return larger_halves(sizes(i), sizes(i + 1)); };
  const Satds sums =
      hn::BitCast(SatdTag(), hn::Add(hn::Add(larger(0), larger(2)), hn::Add(larger(4), larger(6))));
  return hn::Add(hn::And(sums, hn::Set(SatdTag(), 0xffff)), hn::ShiftRight<16>(sums));
}

HWY_INLINE void store(const Transformed& transformed, std::int16_t* to) {
  const PairTag d;
  for (std::size_t i = 0; i < 8; ++i) hn::Store(transformed.at[i], d, to + i * hn::Lanes(d));
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SATD_INL_H_

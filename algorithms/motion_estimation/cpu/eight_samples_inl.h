// SPDX-License-Identifier: Apache-2.0

// Sums of absolute differences of four bytes at eight positions in each 128 bits, in the
// instructions of x86 targets that support them. A part of motion_simd.cc.

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_EIGHT_SAMPLES_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_EIGHT_SAMPLES_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_EIGHT_SAMPLES_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_EIGHT_SAMPLES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

// Constants of the instruction. In each 128 bits, |current - row| is summed over four bytes: the
// eight sums compare the bytes of `row` from i + kX on, for i of 0 to 7, with four bytes of
// `current` that EightSamples prepared.
#if HWY_TARGET <= HWY_AVX3
template <int kX>
constexpr auto kDwords = kX == 0 ? _MM_PERM_CBBA : _MM_PERM_DCCB;

template <int kX>
HWY_INLINE hn::Vec512<std::uint16_t> sums_of_four(hn::Vec512<std::uint8_t> current,
                                                  hn::Vec512<std::uint8_t> row) {
  return hn::Vec512<std::uint16_t>{_mm512_dbsad_epu8(current.raw, row.raw, kDwords<kX>)};
}

template <int kX>
HWY_INLINE hn::Vec256<std::uint16_t> sums_of_four(hn::Vec256<std::uint8_t> current,
                                                  hn::Vec256<std::uint8_t> row) {
  return hn::Vec256<std::uint16_t>{_mm256_dbsad_epu8(current.raw, row.raw, kDwords<kX>)};
}

#else

// Index of the dword of `current`, and of the first dword of `row`.
template <int kX>
constexpr int kOfBlock = kX == 0 ? 0 : 4 + 1;

#if HWY_TARGET == HWY_AVX2
template <int kX>
HWY_INLINE hn::Vec256<std::uint16_t> sums_of_four(hn::Vec256<std::uint8_t> current,
                                                  hn::Vec256<std::uint8_t> row) {
  return hn::Vec256<std::uint16_t>{
      _mm256_mpsadbw_epu8(row.raw, current.raw, kOfBlock<kX> | kOfBlock<kX> << 3)};
}
#endif

template <int kX>
HWY_INLINE hn::Vec128<std::uint16_t> sums_of_four(hn::Vec128<std::uint8_t> current,
                                                  hn::Vec128<std::uint8_t> row) {
  return hn::Vec128<std::uint16_t>{_mm_mpsadbw_epu8(row.raw, current.raw, kOfBlock<kX>)};
}
#endif

// Eight adjacent samples of a macroblock; D is the tag of sums.
template <class D>
class EightSamples {
  using Bytes = hn::Repartition<std::uint8_t, D>;
  using V = hn::Vec<Bytes>;

 public:
#if HWY_TARGET <= HWY_AVX3
  HWY_INLINE explicit EightSamples(const std::uint8_t* samples)
      : fours_{fours(samples), fours(samples + 4)} {}

  // Returns the sums of the first four samples if kX is 0, of the others if it is 4.
  template <int kX>
  HWY_INLINE hn::Vec<D> sums(V row) const {
    return sums_of_four<kX>(fours_[kX / 4], row);
  }

 private:
  static HWY_INLINE V fours(const std::uint8_t* samples) {
    std::uint32_t four = 0;
    std::memcpy(&four, samples, sizeof four);
    return hn::BitCast(Bytes(), hn::Set(hn::Repartition<std::uint32_t, D>(), four));
  }

  V fours_[2];
#else
  HWY_INLINE explicit EightSamples(const std::uint8_t* samples) : samples_(eight(samples)) {}

  template <int kX>
  HWY_INLINE hn::Vec<D> sums(V row) const {
    return sums_of_four<kX>(samples_, row);
  }

 private:
  static HWY_INLINE V eight(const std::uint8_t* samples) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, samples, sizeof eight);
    return hn::BitCast(Bytes(), hn::Set(hn::Repartition<std::uint64_t, D>(), eight));
  }

  V samples_;
#endif
};

// Loads bytes of a row for EightSamples: blocks of 16 that begin at 0, 8, 16 and so on.
template <class D>
HWY_INLINE hn::Vec<D> overlapping_blocks(D d, const std::uint8_t* from) {
  if constexpr (hn::MaxLanes(d) == 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Repartition<std::uint64_t, D> d64;
    alignas(64) static constexpr std::uint64_t kEights[] = {0, 1, 1, 2, 2, 3, 3, 4};
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(d64, hn::LoadU(d, from)),
                                               hn::SetTableIndices(d64, kEights)));
  }
}

#endif  // HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_EIGHT_SAMPLES_INL_H_

// SPDX-License-Identifier: Apache-2.0

// The distortions that a search has found, in the vectors of the target being compiled. A part of
// encode_row_simd.cc, which is compiled once per target.

#include <millrace/algorithms/motion_estimation/motion_vector.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_ENCODER_CPU_SEARCHED_DISTORTIONS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_SEARCHED_DISTORTIONS_INL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_SEARCHED_DISTORTIONS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_SEARCHED_DISTORTIONS_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Returns the number of binary digits of the size of each difference, which is below 2^24: the
// exponent of the number as a float.
template <class D>
HWY_INLINE hn::Vec<D> digits_of(D d, hn::Vec<D> difference) {
  const hn::RebindToFloat<D> floats;
  const auto exponents =
      hn::ShiftRight<23>(hn::BitCast(d, hn::ConvertTo(floats, hn::Abs(difference))));
  return hn::Max(hn::Sub(exponents, hn::Set(d, 126)), hn::Zero(d));
}

// Has the contract of ComposedKernels::searched_distortions().
inline void distortions_of_costs(const std::uint32_t* costs, const MotionVector* vectors,
                                 MotionVector predictor, int lambda,
                                 std::uint32_t (&distortions)[motion::kPartitions]) {
  using D = hn::CappedTag<std::int32_t, 16>;
  const D d;
  const hn::RebindToUnsigned<D> du;
  const hn::Repartition<std::uint8_t, D> bytes;
  constexpr std::size_t kCount = motion::kPartitions;
  const std::size_t lanes = hn::Lanes(d);
  const auto predictor_x = hn::Set(d, predictor.x);
  const auto predictor_y = hn::Set(d, predictor.y);
  // difference_bits() is twice the number of digits, plus 1.
  const auto twice = hn::Set(d, 2 * lambda);
  for (std::size_t i = 0; i < kCount; i += lanes) {
    const std::size_t at = i + lanes <= kCount ? i : kCount - lanes;
    static_assert(sizeof(MotionVector) == 4);
    const auto both =
        hn::BitCast(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(vectors + at)));
    const auto x = hn::ShiftRight<16>(hn::ShiftLeft<16>(both));
    const auto y = hn::ShiftRight<16>(both);
    const auto digits =
        hn::Add(digits_of(d, hn::Sub(x, predictor_x)), digits_of(d, hn::Sub(y, predictor_y)));
    const auto bits = hn::BitCast(du, hn::Mul(hn::Add(digits, hn::Set(d, 1)), twice));
    hn::StoreU(hn::ShiftRight<5>(hn::Sub(hn::LoadU(du, costs + at), bits)), du, distortions + at);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_SEARCHED_DISTORTIONS_INL_H_

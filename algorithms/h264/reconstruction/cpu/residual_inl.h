// SPDX-License-Identifier: Apache-2.0

// The inverse transforms of single blocks in the vectors of the target being compiled. A part of
// reconstruct_simd.cc, which is compiled once per target.

#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/algorithms/idct/cpu/inverse_transform_inl.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RESIDUAL_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RESIDUAL_INL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RESIDUAL_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RESIDUAL_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Row4 = hn::FixedTag<std::int16_t, 4>;
using Row8 = hn::FixedTag<std::int16_t, 8>;

// Adds (residual + 32) / 64 to a row of samples. The saturating sum is exact wherever the clipped
// result depends on it.
template <class D>
HWY_INLINE void add_row(D d, hn::Vec<D> residual, std::uint8_t* to) {
  const hn::Rebind<std::uint8_t, D> bytes;
  const auto rounded = hn::ShiftRight<6>(hn::Add(residual, hn::Set(d, 32)));
  const auto sum = hn::SaturatedAdd(hn::PromoteTo(d, hn::LoadU(bytes, to)), rounded);
  hn::StoreU(hn::DemoteTo(bytes, sum), bytes, to);
}

// Transposes 4 vectors of 4 samples.
template <class V>
HWY_INLINE void transpose_4(V& x0, V& x1, V& x2, V& x3) {
  const Row4 d;
  const Row8 d8;
  const hn::Repartition<std::int32_t, Row8> pairs;
  const auto whole = [&](auto v) HWY_ATTR { return hn::ZeroExtendVector(d8, v); };
  const auto a = hn::BitCast(pairs, hn::InterleaveLower(d8, whole(x0), whole(x1)));
  const auto b = hn::BitCast(pairs, hn::InterleaveLower(d8, whole(x2), whole(x3)));
  const auto rows01 = hn::BitCast(d8, hn::InterleaveLower(pairs, a, b));
  const auto rows23 = hn::BitCast(d8, hn::InterleaveUpper(pairs, a, b));
  x0 = hn::LowerHalf(d, rows01);
  x1 = hn::UpperHalf(d, rows01);
  x2 = hn::LowerHalf(d, rows23);
  x3 = hn::UpperHalf(d, rows23);
}

// The coefficients of a vector are those of one column j of all rows i, so that rows are
// transformed first and the columns after a transposition.
void add_residual_4x4(const std::int16_t* coefficients, int pitch, std::uint8_t* block,
                      std::ptrdiff_t stride) {
  const Row4 d;
  auto x0 = hn::LoadU(d, coefficients);
  auto x1 = hn::LoadU(d, coefficients + pitch);
  auto x2 = hn::LoadU(d, coefficients + 2 * pitch);
  auto x3 = hn::LoadU(d, coefficients + 3 * pitch);
  idct::HWY_NAMESPACE::inverse_transform(x0, x1, x2, x3);
  transpose_4(x0, x1, x2, x3);
  idct::HWY_NAMESPACE::inverse_transform(x0, x1, x2, x3);
  add_row(d, x0, block);
  add_row(d, x1, block + stride);
  add_row(d, x2, block + 2 * stride);
  add_row(d, x3, block + 3 * stride);
}

template <class V>
HWY_INLINE void inverse_transform_8(V (&x)[8]) {
  idct::HWY_NAMESPACE::inverse_transform(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
}

// Transposes 8 vectors of 8 samples.
template <class V>
HWY_INLINE void transpose_8(V (&x)[8]) {
  const Row8 d;
  V y[8];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      y[2 * i] = hn::InterleaveLower(d, x[i], x[i + 4]);
      y[2 * i + 1] = hn::InterleaveUpper(d, x[i], x[i + 4]);
    }
    for (int i = 0; i < 8; ++i) x[i] = y[i];
  }
}

void add_residual_8x8(const std::int16_t* coefficients, std::uint8_t* block,
                      std::ptrdiff_t stride) {
  const Row8 d;
  hn::Vec<Row8> x[8];
  for (int i = 0; i < 8; ++i) x[i] = hn::LoadU(d, coefficients + kLumaPitch * i);
  inverse_transform_8(x);
  transpose_8(x);
  inverse_transform_8(x);
  for (int i = 0; i < 8; ++i) add_row(d, x[i], block + i * stride);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // Vectors of fixed size.
#endif  // Include guard.

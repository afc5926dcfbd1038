// SPDX-License-Identifier: Apache-2.0

// The inverse transform of one macroblock in the vectors of the target being compiled: 128, 256 or
// 512 bits wide, or none. A part of idct_simd.cc, which is compiled once per target.

#include <millrace/algorithms/idct/cpu/inverse_transform_inl.h>
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/macroblock.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_VECTOR_INL_H_)
#ifndef MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_VECTOR_INL_H_
#define MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_VECTOR_INL_H_
#else
#undef MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_VECTOR_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::idct {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Destination of a macroblock's residual.
struct ResidualPosition {
  std::int16_t* to;
};

struct PicturePosition {
  const std::uint8_t* from;
  std::ptrdiff_t from_stride;
  std::uint8_t* to;
  std::ptrdiff_t to_stride;

  HWY_INLINE PicturePosition moved(int rows, int columns) const {
    return {from + rows * from_stride + columns, from_stride, to + rows * to_stride + columns,
            to_stride};
  }
};

#if HWY_TARGET == HWY_SCALAR

struct FullWidth {};
using HalfWidth = FullWidth;

template <class D, TransformSize size, bool streaming>
void transform_macroblock(const std::int16_t* coefficients, ResidualPosition position) {
  inverse_transform_macroblock<block_width(size)>(
      coefficients, 0, 1,
      [=](int y, int x, std::int16_t sample) { position.to[kMacroblockWidth * y + x] = sample; });
}

template <class D, TransformSize size, bool streaming>
void transform_macroblock(const std::int16_t* coefficients, PicturePosition position) {
  inverse_transform_macroblock<block_width(size)>(
      coefficients, 0, 1, [=](int y, int x, std::int16_t sample) {
        const PicturePosition here = position.moved(y, x);
        *here.to = reconstruct_sample(*here.from, sample);
      });
}

#else  // HWY_TARGET != HWY_SCALAR

// A vector holds eight neighbouring samples of one row per 128 bits. With 512 bits these are all of
// row r and all of row r + 8, with 256 bits one whole row, with 128 bits half a row; a macroblock
// is then 1, 2 or 4 sections of eight vectors. Transpositions stay within 128 bits.
#if HWY_HAVE_SCALABLE
using FullWidth = hn::CappedTag<std::int16_t, 8>;
#else
using FullWidth = hn::CappedTag<std::int16_t, 32>;
#endif
using HalfWidth = hn::CappedTag<std::int16_t, 16>;

template <class D>
constexpr int kSections = 32 / static_cast<int>(hn::MaxLanes(D()));
template <class D>
constexpr int first_row(int section) {
  return kSections<D> == 1 ? 0 : kSections<D> == 2 ? 8 * section : 8 * (section / 2);
}
template <class D>
constexpr int first_column(int section) {
  return kSections<D> == 4 ? 8 * (section % 2) : 0;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V load_row(D d, const std::int16_t* from) {
  if constexpr (kSections<D> == 1) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, from + 8 * kMacroblockWidth), hn::LoadU(half, from));
  } else {
    return hn::LoadU(d, from);
  }
}

template <bool streaming, class D, class V = hn::Vec<D>>
HWY_INLINE void store(D d, V v, std::int16_t* to) {
  if constexpr (streaming) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
}

// Writes rows `row` and `row` + 1 of a section.
template <bool streaming, class D, class V = hn::Vec<D>>
HWY_INLINE void write_rows(D d, ResidualPosition position, int section, int row, V v0, V v1) {
  std::int16_t* to =
      position.to + kMacroblockWidth * (first_row<D>(section) + row) + first_column<D>(section);
  if constexpr (kSections<D> == 1) {
    store<streaming>(d, hn::ConcatLowerLower(d, v1, v0), to);
    store<streaming>(d, hn::ConcatUpperUpper(d, v1, v0), to + 8 * kMacroblockWidth);
  } else {
    store<streaming>(d, v0, to);
    store<streaming>(d, v1, to + kMacroblockWidth);
  }
}

// The saturating sum is exact wherever the clipped result depends on it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void reconstruct_row(D d, PicturePosition position, V residual) {
  const hn::Rebind<std::uint8_t, D> bytes;
  if constexpr (kSections<D> == 1) {
    const hn::Half<decltype(bytes)> half;
    const auto prediction = hn::Combine(bytes, hn::LoadU(half, position.moved(8, 0).from),
                                        hn::LoadU(half, position.from));
    const auto samples =
        hn::DemoteTo(bytes, hn::SaturatedAdd(hn::PromoteTo(d, prediction), residual));
    hn::StoreU(hn::LowerHalf(half, samples), half, position.to);
    hn::StoreU(hn::UpperHalf(half, samples), half, position.moved(8, 0).to);
  } else {
    const auto prediction = hn::PromoteTo(d, hn::LoadU(bytes, position.from));
    hn::StoreU(hn::DemoteTo(bytes, hn::SaturatedAdd(prediction, residual)), bytes, position.to);
  }
}

template <bool streaming, class D, class V = hn::Vec<D>>
HWY_INLINE void write_rows(D d, PicturePosition position, int section, int row, V v0, V v1) {
  position = position.moved(first_row<D>(section) + row, first_column<D>(section));
  reconstruct_row(d, position, v0);
  reconstruct_row(d, position.moved(1, 0), v1);
}

// Interleaves a and b to a0 b0 a1 b1 .. within the lower and upper halves of each 128 bits, in
// lanes of type T.
template <class T, class D, class V = hn::Vec<D>>
HWY_INLINE void interleave(D d, V& a, V& b) {
  const hn::Repartition<T, D> lanes;
  const auto first = hn::BitCast(lanes, a);
  const auto second = hn::BitCast(lanes, b);
  a = hn::BitCast(d, hn::InterleaveLower(lanes, first, second));
  b = hn::BitCast(d, hn::InterleaveUpper(lanes, first, second));
}

// Transposes the two 4x4 matrices in each 128 bits of x0..x3.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D d, V& x0, V& x1, V& x2, V& x3) {
  interleave<std::int16_t>(d, x0, x1);
  interleave<std::int16_t>(d, x2, x3);
  interleave<std::int32_t>(d, x0, x2);
  interleave<std::int32_t>(d, x1, x3);
  interleave<std::int64_t>(d, x0, x1);
  interleave<std::int64_t>(d, x2, x3);
}

// Transposes the 8x8 matrix in each 128 bits of x0..x7. Rows are parameters of their own, since
// Highway's vectors cannot be members of a class or elements of an array.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D d, V& x0, V& x1, V& x2, V& x3, V& x4, V& x5, V& x6, V& x7) {
  interleave<std::int16_t>(d, x0, x4);
  interleave<std::int16_t>(d, x1, x5);
  interleave<std::int16_t>(d, x2, x6);
  interleave<std::int16_t>(d, x3, x7);
  interleave<std::int16_t>(d, x0, x2);
  interleave<std::int16_t>(d, x1, x3);
  interleave<std::int16_t>(d, x4, x6);
  interleave<std::int16_t>(d, x5, x7);
  interleave<std::int16_t>(d, x0, x1);
  interleave<std::int16_t>(d, x2, x3);
  interleave<std::int16_t>(d, x4, x5);
  interleave<std::int16_t>(d, x6, x7);
}

template <bool streaming, class D, class Position>
HWY_INLINE void section_4x4(D d, const std::int16_t* from, Position position, int section) {
  const auto rounding = hn::Set(d, 32);
  for (int row = 0; row < 8; row += 4, from += 4 * kMacroblockWidth) {
    auto x0 = load_row(d, from);
    auto x1 = load_row(d, from + 1 * kMacroblockWidth);
    auto x2 = load_row(d, from + 2 * kMacroblockWidth);
    auto x3 = load_row(d, from + 3 * kMacroblockWidth);
    inverse_transform(x0, x1, x2, x3);
    transpose(d, x0, x1, x2, x3);
    x0 = hn::Add(x0, rounding);  // Reaches every output exactly once.
    inverse_transform(x0, x1, x2, x3);
    write_rows<streaming>(d, position, section, row, hn::ShiftRight<6>(x0), hn::ShiftRight<6>(x1));
    write_rows<streaming>(d, position, section, row + 2, hn::ShiftRight<6>(x2),
                          hn::ShiftRight<6>(x3));
  }
}

template <bool streaming, class D, class Position>
HWY_INLINE void section_8x8(D d, const std::int16_t* from, Position position, int section) {
  auto x0 = load_row(d, from);
  auto x1 = load_row(d, from + 1 * kMacroblockWidth);
  auto x2 = load_row(d, from + 2 * kMacroblockWidth);
  auto x3 = load_row(d, from + 3 * kMacroblockWidth);
  auto x4 = load_row(d, from + 4 * kMacroblockWidth);
  auto x5 = load_row(d, from + 5 * kMacroblockWidth);
  auto x6 = load_row(d, from + 6 * kMacroblockWidth);
  auto x7 = load_row(d, from + 7 * kMacroblockWidth);
  inverse_transform(x0, x1, x2, x3, x4, x5, x6, x7);
  transpose(d, x0, x1, x2, x3, x4, x5, x6, x7);
  x0 = hn::Add(x0, hn::Set(d, 32));  // Reaches every output exactly once.
  inverse_transform(x0, x1, x2, x3, x4, x5, x6, x7);
  write_rows<streaming>(d, position, section, 0, hn::ShiftRight<6>(x0), hn::ShiftRight<6>(x1));
  write_rows<streaming>(d, position, section, 2, hn::ShiftRight<6>(x2), hn::ShiftRight<6>(x3));
  write_rows<streaming>(d, position, section, 4, hn::ShiftRight<6>(x4), hn::ShiftRight<6>(x5));
  write_rows<streaming>(d, position, section, 6, hn::ShiftRight<6>(x6), hn::ShiftRight<6>(x7));
}

template <class D, TransformSize size, bool streaming, class Position>
HWY_INLINE void transform_macroblock(const std::int16_t* coefficients, Position position) {
  const D d;
  for (int section = 0; section < kSections<D>; ++section) {
    const std::int16_t* from =
        coefficients + kMacroblockWidth * first_row<D>(section) + first_column<D>(section);
    if constexpr (size == TransformSize::k4x4) {
      section_4x4<streaming>(d, from, position, section);
    } else {
      section_8x8<streaming>(d, from, position, section);
    }
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::idct
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_VECTOR_INL_H_

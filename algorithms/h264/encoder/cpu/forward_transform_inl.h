// SPDX-License-Identifier: Apache-2.0

// The transforms of block_transform.h in the vectors of the target being compiled. A part of
// encode_row_simd.cc, which is compiled once per target.

#include <millrace/algorithms/h264/encoder/macroblock/block_transform.h>
#include <millrace/algorithms/h264/reconstruction/cpu/residual_inl.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_ENCODER_CPU_FORWARD_TRANSFORM_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_FORWARD_TRANSFORM_INL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_FORWARD_TRANSFORM_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_FORWARD_TRANSFORM_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> difference_row(D d, const std::uint8_t* source,
                                     const std::uint8_t* prediction) {
  const hn::Rebind<std::uint8_t, D> bytes;
  return hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, source)),
                 hn::PromoteTo(d, hn::LoadU(bytes, prediction)));
}

template <class V>
HWY_INLINE void forward_4(V& x0, V& x1, V& x2, V& x3) {
  const V e0 = hn::Add(x0, x3);
  const V e1 = hn::Add(x1, x2);
  const V e2 = hn::Sub(x1, x2);
  const V e3 = hn::Sub(x0, x3);
  x0 = hn::Add(e0, e1);
  x1 = hn::Add(hn::Add(e3, e3), e2);
  x2 = hn::Sub(e0, e1);
  x3 = hn::Sub(e3, hn::Add(e2, e2));
}

template <class V>
HWY_INLINE void forward_8(V (&x)[8]) {
  const V f0 = hn::Add(x[0], x[7]);
  const V f7 = hn::Sub(x[0], x[7]);
  const V f2 = hn::Add(x[1], x[6]);
  const V f5 = hn::Sub(x[1], x[6]);
  const V f4 = hn::Add(x[2], x[5]);
  const V f3 = hn::Sub(x[2], x[5]);
  const V f6 = hn::Add(x[3], x[4]);
  const V f1 = hn::Sub(x[3], x[4]);
  const V e0 = hn::Add(f0, f6);
  const V e2 = hn::Add(f2, f4);
  const V e4 = hn::Sub(f2, f4);
  const V e6 = hn::Sub(f0, f6);
  const V e7 = hn::Add(hn::Add(f5, f3), hn::Add(f7, hn::ShiftRight<1>(f7)));
  const V e1 = hn::Add(hn::Sub(f5, f3), hn::Add(f1, hn::ShiftRight<1>(f1)));
  const V e5 = hn::Sub(hn::Add(f7, f1), hn::Add(f5, hn::ShiftRight<1>(f5)));
  const V e3 = hn::Sub(hn::Sub(f7, f1), hn::Add(f3, hn::ShiftRight<1>(f3)));
  x[0] = hn::Add(e0, e2);
  x[1] = hn::Add(e7, hn::ShiftRight<2>(e1));
  x[2] = hn::Add(e6, hn::ShiftRight<1>(e4));
  x[3] = hn::Add(e3, hn::ShiftRight<2>(e5));
  x[4] = hn::Sub(e0, e2);
  x[5] = hn::Sub(e5, hn::ShiftRight<2>(e3));
  x[6] = hn::Sub(hn::ShiftRight<1>(e6), e4);
  x[7] = hn::Sub(hn::ShiftRight<2>(e7), e1);
}

// Columns are transformed first, as in transform_difference().
void transform_difference_4x4(SampleRows source, SampleRows prediction, std::int16_t* w) {
  const Row4 d;
  const auto row = [&](int y) HWY_ATTR {
    return difference_row(d, source.samples + y * source.stride,
                          prediction.samples + y * prediction.stride);
  };
  auto x0 = row(0);
  auto x1 = row(1);
  auto x2 = row(2);
  auto x3 = row(3);
  forward_4(x0, x1, x2, x3);
  transpose_4(x0, x1, x2, x3);
  forward_4(x0, x1, x2, x3);
  transpose_4(x0, x1, x2, x3);
  hn::StoreU(x0, d, w);
  hn::StoreU(x1, d, w + 4);
  hn::StoreU(x2, d, w + 8);
  hn::StoreU(x3, d, w + 12);
}

void transform_difference_8x8(SampleRows source, SampleRows prediction, std::int16_t* w) {
  const Row8 d;
  hn::Vec<Row8> x[8];
  for (int y = 0; y < 8; ++y) {
    x[y] = difference_row(d, source.samples + y * source.stride,
                          prediction.samples + y * prediction.stride);
  }
  forward_8(x);
  transpose_8(x);
  forward_8(x);
  transpose_8(x);
  for (int y = 0; y < 8; ++y) hn::StoreU(x[y], d, w + 8 * y);
}

// Returns a mask of the 4x4 blocks of a block of `side` x `side` samples, in raster order, of which
// a coefficient is larger than its limit. `limits` are by position in a 4x4 block, in raster order.
// Writes the DC of each block.
template <int side>
std::uint32_t blocks_above_limits(SampleRows source, SampleRows prediction,
                                  const std::int16_t (&limits)[16],
                                  std::int16_t (&dc)[side * side / 16]) {
  constexpr std::size_t kColumns = side == 16 && HWY_MAX_BYTES >= 32 ? 16 : 8;
  const hn::FixedTag<std::int16_t, kColumns> d;
  const hn::FixedTag<std::uint64_t, kColumns / 4> d_blocks;
  HWY_ALIGN static constexpr std::int16_t kRight[16] = {0, 0, -1, -1, 0, 0, -1, -1,
                                                        0, 0, -1, -1, 0, 0, -1, -1};
  const auto right = hn::Load(d, kRight);
  hn::Vec<decltype(d)> row_limits[4];
  for (int y = 0; y < 4; ++y) {
    std::uint64_t row;
    std::memcpy(&row, limits + 4 * y, sizeof(row));
    row_limits[y] = hn::BitCast(d, hn::Set(d_blocks, row));
  }
  // Returns the coefficients of a row of each block: e0 + e1, 2 e3 + e2, e0 - e1 and e3 - 2 e2, as
  // in forward_transform_4(). The two on the right have the wrong sign.
  const auto coefficients_of = [&](auto row) HWY_ATTR {
    const auto reversed = hn::Reverse4(d, row);
    const auto sum = hn::Add(row, reversed);         // e0, e1, e1, e0
    const auto difference = hn::Sub(row, reversed);  // e3, e2, -e2, -e3
    const auto other = hn::Reverse2(d, difference);
    const auto x = hn::OddEven(difference, sum);
    const auto y = hn::OddEven(hn::Add(other, other), hn::Reverse2(d, sum));
    return hn::Add(x, hn::Sub(hn::Xor(y, right), right));  // x + y, on the right x - y.
  };
  std::uint32_t mask = 0;
  for (int y = 0; y < side; y += 4) {
    for (std::size_t x = 0; x < side; x += kColumns) {
      const auto row = [&](int i) HWY_ATTR {
        return difference_row(d, source.samples + (y + i) * source.stride + x,
                              prediction.samples + (y + i) * prediction.stride + x);
      };
      auto x0 = row(0);
      auto x1 = row(1);
      auto x2 = row(2);
      auto x3 = row(3);
      forward_4(x0, x1, x2, x3);
      const hn::RebindToUnsigned<decltype(d)> du;
      const auto above = [&](auto coefficients, int i) HWY_ATTR {
        return hn::SaturatedSub(hn::BitCast(du, hn::Abs(coefficients)),
                                hn::BitCast(du, row_limits[i]));
      };
      const auto first_row = coefficients_of(x0);
      const auto any = hn::Or(hn::Or(above(first_row, 0), above(coefficients_of(x1), 1)),
                              hn::Or(above(coefficients_of(x2), 2), above(coefficients_of(x3), 3)));
      HWY_ALIGN std::uint64_t blocks[kColumns / 4];
      HWY_ALIGN std::int16_t first[kColumns];
      hn::Store(hn::BitCast(d_blocks, any), d_blocks, blocks);
      hn::Store(first_row, d, first);
      for (std::size_t i = 0; i < kColumns / 4; ++i) {
        const std::size_t block = static_cast<std::size_t>(side / 4 * (y / 4)) + x / 4 + i;
        mask |= blocks[i] != 0 ? 1u << block : 0;
        dc[block] = first[4 * i];
      }
    }
  }
  return mask;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_FORWARD_TRANSFORM_INL_H_

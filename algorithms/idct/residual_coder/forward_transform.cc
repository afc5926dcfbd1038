// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/residual_coder/forward_transform.h>

#include <algorithm>

namespace millrace::idct {
namespace {

using Sample = std::int16_t;
constexpr int kWidth = kMacroblockWidth;

template <int n>
void transform_column(Sample* column);

template <>
inline void transform_column<4>(Sample* column) {
  const int x0 = column[0 * kWidth];
  const int x1 = column[1 * kWidth];
  const int x2 = column[2 * kWidth];
  const int x3 = column[3 * kWidth];
  const int e0 = x0 + x3;
  const int e1 = x1 + x2;
  const int e2 = x1 - x2;
  const int e3 = x0 - x3;
  column[0 * kWidth] = static_cast<Sample>(e0 + e1);
  column[1 * kWidth] = static_cast<Sample>(2 * e3 + e2);
  column[2 * kWidth] = static_cast<Sample>(e0 - e1);
  column[3 * kWidth] = static_cast<Sample>(e3 - 2 * e2);
}

// The names f and e are those of the inverse transform, in reverse order.
template <>
inline void transform_column<8>(Sample* column) {
  const int x0 = column[0 * kWidth];
  const int x1 = column[1 * kWidth];
  const int x2 = column[2 * kWidth];
  const int x3 = column[3 * kWidth];
  const int x4 = column[4 * kWidth];
  const int x5 = column[5 * kWidth];
  const int x6 = column[6 * kWidth];
  const int x7 = column[7 * kWidth];
  const Sample f0 = static_cast<Sample>(x0 + x7);
  const Sample f7 = static_cast<Sample>(x0 - x7);
  const Sample f2 = static_cast<Sample>(x1 + x6);
  const Sample f5 = static_cast<Sample>(x1 - x6);
  const Sample f4 = static_cast<Sample>(x2 + x5);
  const Sample f3 = static_cast<Sample>(x2 - x5);
  const Sample f6 = static_cast<Sample>(x3 + x4);
  const Sample f1 = static_cast<Sample>(x3 - x4);
  const Sample e0 = static_cast<Sample>(f0 + f6);
  const Sample e2 = static_cast<Sample>(f2 + f4);
  const Sample e4 = static_cast<Sample>(f2 - f4);
  const Sample e6 = static_cast<Sample>(f0 - f6);
  const Sample e7 = static_cast<Sample>(f5 + f3 + f7 + (f7 >> 1));
  const Sample e1 = static_cast<Sample>(f5 - f3 + f1 + (f1 >> 1));
  const Sample e5 = static_cast<Sample>(f7 + f1 - f5 - (f5 >> 1));
  const Sample e3 = static_cast<Sample>(f7 - f1 - f3 - (f3 >> 1));
  column[0 * kWidth] = static_cast<Sample>(e0 + e2);
  column[1 * kWidth] = static_cast<Sample>(e7 + (e1 >> 2));
  column[2 * kWidth] = static_cast<Sample>(e6 + (e4 >> 1));
  column[3 * kWidth] = static_cast<Sample>(e3 + (e5 >> 2));
  column[4 * kWidth] = static_cast<Sample>(e0 - e2);
  column[5 * kWidth] = static_cast<Sample>(e5 - (e3 >> 2));
  column[6 * kWidth] = static_cast<Sample>((e6 >> 1) - e4);
  column[7 * kWidth] = static_cast<Sample>((e7 >> 2) - e1);
}

template <int n>
void transform_columns(Sample (&samples)[kMacroblockSamples]) {
  for (int y = 0; y < kWidth; y += n) {
    for (int x = 0; x < kWidth; ++x) {
      transform_column<n>(samples + kWidth * y + x);
    }
  }
}

template <int n>
void transpose_blocks(const Sample (&from)[kMacroblockSamples], Sample (&to)[kMacroblockSamples]) {
  for (int by = 0; by < kWidth; by += n) {
    for (int y = 0; y < n; ++y) {
      for (int bx = 0; bx < kWidth; bx += n) {
        for (int x = 0; x < n; ++x) {
          to[kWidth * (by + y) + bx + x] = from[kWidth * (by + x) + bx + y];
        }
      }
    }
  }
}

template <int n>
void forward_transform_blocks(const Sample (&residual)[kMacroblockSamples],
                              Sample (&coefficients)[kMacroblockSamples]) {
  Sample columns_done[kMacroblockSamples];
  std::copy_n(residual, kMacroblockSamples, columns_done);
  transform_columns<n>(columns_done);
  transpose_blocks<n>(columns_done, coefficients);
  transform_columns<n>(coefficients);
}

}  // namespace

void forward_transform(TransformSize size, const Sample (&residual)[kMacroblockSamples],
                       Sample (&coefficients)[kMacroblockSamples]) {
  if (size == TransformSize::k4x4) {
    forward_transform_blocks<4>(residual, coefficients);
  } else {
    forward_transform_blocks<8>(residual, coefficients);
  }
}

}  // namespace millrace::idct

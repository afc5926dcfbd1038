// SPDX-License-Identifier: Apache-2.0

// Forward transforms of the difference of two blocks of samples: the inverse transforms of ITU-T
// H.264 clauses 8.5.12.2 and 8.5.13 with their signal flow reversed, as idct/residual_coder has
// them for whole macroblocks.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_TRANSFORM_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_TRANSFORM_H_

#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Transforms four values at a distance of `step`.
MILLRACE_FUNCTION inline void forward_transform_4(std::int16_t* x, int step) {
  const int e0 = x[0] + x[3 * step];
  const int e1 = x[step] + x[2 * step];
  const int e2 = x[step] - x[2 * step];
  const int e3 = x[0] - x[3 * step];
  x[0] = static_cast<std::int16_t>(e0 + e1);
  x[step] = static_cast<std::int16_t>(2 * e3 + e2);
  x[2 * step] = static_cast<std::int16_t>(e0 - e1);
  x[3 * step] = static_cast<std::int16_t>(e3 - 2 * e2);
}

// Transforms eight values at a distance of `step`.
MILLRACE_FUNCTION inline void forward_transform_8(std::int16_t* x, int step) {
  const int f0 = x[0] + x[7 * step];
  const int f7 = x[0] - x[7 * step];
  const int f2 = x[step] + x[6 * step];
  const int f5 = x[step] - x[6 * step];
  const int f4 = x[2 * step] + x[5 * step];
  const int f3 = x[2 * step] - x[5 * step];
  const int f6 = x[3 * step] + x[4 * step];
  const int f1 = x[3 * step] - x[4 * step];
  const int e0 = f0 + f6;
  const int e2 = f2 + f4;
  const int e4 = f2 - f4;
  const int e6 = f0 - f6;
  const int e7 = f5 + f3 + f7 + (f7 >> 1);
  const int e1 = f5 - f3 + f1 + (f1 >> 1);
  const int e5 = f7 + f1 - f5 - (f5 >> 1);
  const int e3 = f7 - f1 - f3 - (f3 >> 1);
  x[0] = static_cast<std::int16_t>(e0 + e2);
  x[step] = static_cast<std::int16_t>(e7 + (e1 >> 2));
  x[2 * step] = static_cast<std::int16_t>(e6 + (e4 >> 1));
  x[3 * step] = static_cast<std::int16_t>(e3 + (e5 >> 2));
  x[4 * step] = static_cast<std::int16_t>(e0 - e2);
  x[5 * step] = static_cast<std::int16_t>(e5 - (e3 >> 2));
  x[6 * step] = static_cast<std::int16_t>((e6 >> 1) - e4);
  x[7 * step] = static_cast<std::int16_t>((e7 >> 2) - e1);
}

// Writes the coefficients of source - prediction, n x n samples each, in raster order.
template <int n>
MILLRACE_FUNCTION inline void transform_difference(SampleRows source, SampleRows prediction,
                                                   std::int16_t (&coefficients)[n * n]) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      coefficients[n * y + x] = static_cast<std::int16_t>(
          source.samples[y * source.stride + x] - prediction.samples[y * prediction.stride + x]);
    }
  }
  for (int i = 0; i < n; ++i) {
    if constexpr (n == 4) {
      forward_transform_4(coefficients + i, n);
    } else {
      forward_transform_8(coefficients + i, n);
    }
  }
  for (int i = 0; i < n; ++i) {
    if constexpr (n == 4) {
      forward_transform_4(coefficients + n * i, 1);
    } else {
      forward_transform_8(coefficients + n * i, 1);
    }
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_TRANSFORM_H_

// SPDX-License-Identifier: Apache-2.0

// The standard's scaling tables (ITU-T H.264 clause 8.5.9, flat scaling matrices) and the matching
// quantiser, for both transform sizes and QP 0..51.
#ifndef MILLRACE_ALGORITHMS_IDCT_QUANTISER_H_
#define MILLRACE_ALGORITHMS_IDCT_QUANTISER_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstdint>

namespace millrace::idct {

inline constexpr int kMaxQp = 51;

// Returns normAdjust4x4(m, i, j) or normAdjust8x8(m, i, j) of clause 8.5.9, with m = QP % 6.
constexpr int norm_adjust(TransformSize size, int m, int i, int j) {
  constexpr int k4x4[6][3] = {{10, 16, 13}, {11, 18, 14}, {13, 20, 16},
                              {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};
  constexpr int k8x8[6][6] = {{20, 18, 32, 19, 25, 24}, {22, 19, 35, 21, 28, 26},
                              {26, 23, 42, 24, 33, 31}, {28, 25, 45, 26, 35, 33},
                              {32, 28, 51, 30, 40, 38}, {36, 32, 58, 34, 46, 43}};
  const bool odd_i = i % 2 == 1;
  const bool odd_j = j % 2 == 1;
  if (size == TransformSize::k4x4) {
    return k4x4[m][odd_i && odd_j ? 1 : !odd_i && !odd_j ? 0 : 2];
  }
  const bool fourth_i = i % 4 == 0;
  const bool fourth_j = j % 4 == 0;
  if (odd_i && odd_j) {
    return k8x8[m][1];
  }
  if (odd_i || odd_j) {
    return k8x8[m][fourth_i || fourth_j ? 3 : 5];
  }
  return k8x8[m][fourth_i && fourth_j ? 0 : fourth_i || fourth_j ? 4 : 2];
}

// Returns the dequantised coefficient d_ij of a level: clause 8.5.12.1 (4x4) or 8.5.13.1 (8x8).
constexpr int dequantised(TransformSize size, int qp, int i, int j, int level) {
  const int scaled = level * 16 * norm_adjust(size, qp % 6, i, j);
  const int shift = (size == TransformSize::k4x4 ? 4 : 6) - qp / 6;
  return shift > 0 ? (scaled + (1 << (shift - 1))) >> shift : scaled * (1 << -shift);
}

// A level is (|w| * multiplier + rounding) >> quantiser_shift, with the sign of the forward
// coefficient w_ij. The multiplier is the nearest integer to
//   2^quantiser_shift(QP) * 64 / (gain * step),
// where step is the change of d_ij per level and gain is the factor by which the forward and the
// inverse transform together, without the final shift by 6, scale a sample. It depends on QP only
// through QP % 6.
constexpr int quantiser_multiplier(TransformSize size, int m, int i, int j) {
  const std::int64_t step = norm_adjust(size, m, i, j);
  // Products of forward and inverse basis vectors: 4x4 in units, 8x8 in 64ths.
  constexpr int k4x4[2] = {4, 5};
  constexpr int k8x8[4] = {8 * 64, 578, 320, 578};
  const std::int64_t gain =
      size == TransformSize::k4x4 ? k4x4[i % 2] * k4x4[j % 2] : k8x8[i % 4] * k8x8[j % 4];
  const std::int64_t dividend = std::int64_t{1} << (size == TransformSize::k4x4 ? 21 : 24 + 12);
  return static_cast<int>((dividend + gain * step / 2) / (gain * step));
}

constexpr int quantiser_shift(TransformSize size, int qp) {
  return (size == TransformSize::k4x4 ? 15 : 16) + qp / 6;
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_QUANTISER_H_

// SPDX-License-Identifier: Apache-2.0

// The H.264 inverse integer transforms for code of the host and of GPUs: integers only, no heap, no
// recursion, the same result on every processor.
//
//   inverse_transform_macroblock(size, coefficients, residual);
//
// The 1-D transforms are templates on the type of a sample, which needs +, - and an arithmetic >>
// whose lower 16 bits are those of two's complement arithmetic modulo 2^16: WrappedInt16 here, or
// RegisterInt16 (idct_cooperative.h), which has a sample in a register of 32 bits. Blocks and
// macroblocks are transformed by WrappedInt16, one sample after another.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_MATH_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_MATH_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// Two's complement arithmetic modulo 2^16.
struct WrappedInt16 {
  std::int16_t value = 0;

  MILLRACE_FUNCTION friend constexpr WrappedInt16 operator+(WrappedInt16 a, WrappedInt16 b) {
    return {static_cast<std::int16_t>(a.value + b.value)};
  }
  MILLRACE_FUNCTION friend constexpr WrappedInt16 operator-(WrappedInt16 a, WrappedInt16 b) {
    return {static_cast<std::int16_t>(a.value - b.value)};
  }
  MILLRACE_FUNCTION friend constexpr WrappedInt16 operator>>(WrappedInt16 a, int bits) {
    return {static_cast<std::int16_t>(a.value >> bits)};
  }
};

// Transforms one row or column of a 4x4 block in place (clause 8.5.12.2).
template <class T>
MILLRACE_FUNCTION constexpr void inverse_transform_4(T (&x)[4]) {
  const T e0 = x[0] + x[2];
  const T e1 = x[0] - x[2];
  const T e2 = (x[1] >> 1) - x[3];
  const T e3 = x[1] + (x[3] >> 1);
  x[0] = e0 + e3;
  x[1] = e1 + e2;
  x[2] = e1 - e2;
  x[3] = e0 - e3;
}

// Transforms one row or column of an 8x8 block in place (clause 8.5.13).
template <class T>
MILLRACE_FUNCTION constexpr void inverse_transform_8(T (&x)[8]) {
  const T e0 = x[0] + x[4];
  const T e1 = x[5] - x[3] - x[7] - (x[7] >> 1);
  const T e2 = x[0] - x[4];
  const T e3 = x[1] + x[7] - x[3] - (x[3] >> 1);
  const T e4 = (x[2] >> 1) - x[6];
  const T e5 = x[7] - x[1] + x[5] + (x[5] >> 1);
  const T e6 = x[2] + (x[6] >> 1);
  const T e7 = x[3] + x[5] + x[1] + (x[1] >> 1);
  const T f0 = e0 + e6;
  const T f1 = e1 + (e7 >> 2);
  const T f2 = e2 + e4;
  const T f3 = e3 + (e5 >> 2);
  const T f4 = e2 - e4;
  const T f5 = (e3 >> 2) - e5;
  const T f6 = e0 - e6;
  const T f7 = e7 - (e1 >> 2);
  x[0] = f0 + f7;
  x[1] = f2 + f5;
  x[2] = f4 + f3;
  x[3] = f6 + f1;
  x[4] = f6 - f1;
  x[5] = f4 - f3;
  x[6] = f2 - f5;
  x[7] = f0 - f7;
}

template <class T>
MILLRACE_FUNCTION constexpr void inverse_transform_1d(T (&x)[4]) {
  inverse_transform_4(x);
}
template <class T>
MILLRACE_FUNCTION constexpr void inverse_transform_1d(T (&x)[8]) {
  inverse_transform_8(x);
}

// Transforms one n x n block: calls store(i, j, sample) for the residual sample in row i, column j
// of the block. `coefficients` points at the block's first element inside its macroblock (see
// macroblock.h), whose rows are at a distance of `pitch` elements.
template <int n, int pitch = kMacroblockWidth, class Store>
MILLRACE_FUNCTION constexpr void inverse_transform_block(const std::int16_t* coefficients,
                                                         const Store& store) {
  WrappedInt16 rows[n][n] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      rows[i][j].value = coefficients[pitch * j + i];
    }
    inverse_transform_1d(rows[i]);
  }
  for (int j = 0; j < n; ++j) {
    WrappedInt16 column[n] = {};
    for (int i = 0; i < n; ++i) {
      column[i] = rows[i][j];
    }
    inverse_transform_1d(column);
    for (int i = 0; i < n; ++i) {
      store(i, j, ((column[i] + WrappedInt16{32}) >> 6).value);
    }
  }
}

// Transforms the blocks first, first + step, ... of a macroblock of n x n blocks: calls store(y, x,
// sample) for the residual sample in row y, column x of the macroblock. Lanes that share a
// macroblock pass `first` from 0 to step - 1.
template <int n, class Store>
MILLRACE_FUNCTION constexpr void inverse_transform_macroblock(const std::int16_t* coefficients,
                                                              int first, int step,
                                                              const Store& store) {
  constexpr int kBlocksPerRow = kMacroblockWidth / n;
  for (int block = first; block < kBlocksPerRow * kBlocksPerRow; block += step) {
    const int y = block / kBlocksPerRow * n;
    const int x = block % kBlocksPerRow * n;
    inverse_transform_block<n>(
        coefficients + kMacroblockWidth * y + x,
        [&](int i, int j, std::int16_t sample) { store(y + i, x + j, sample); });
  }
}

// Transforms a whole macroblock: 256 coefficients to 256 residual samples, which must not overlap.
MILLRACE_FUNCTION constexpr void inverse_transform_macroblock(TransformSize size,
                                                              const std::int16_t* coefficients,
                                                              std::int16_t* residual) {
  const auto store = [residual](int y, int x, std::int16_t sample) {
    residual[kMacroblockWidth * y + x] = sample;
  };
  if (size == TransformSize::k4x4) {
    inverse_transform_macroblock<4>(coefficients, 0, 1, store);
  } else {
    inverse_transform_macroblock<8>(coefficients, 0, 1, store);
  }
}

// Returns prediction + residual, clipped to 0..255; exact for any residual.
MILLRACE_FUNCTION constexpr std::uint8_t reconstruct_sample(std::uint8_t prediction,
                                                            std::int16_t residual) {
  const int sum = prediction + residual;
  return static_cast<std::uint8_t>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

// Adds a macroblock's residual to its prediction. The pointers are the macroblock's first samples
// in planes with the given strides; `output` may be `prediction`.
MILLRACE_FUNCTION constexpr void reconstruct_macroblock(const std::int16_t* residual,
                                                        const std::uint8_t* prediction,
                                                        std::ptrdiff_t prediction_stride,
                                                        std::uint8_t* output,
                                                        std::ptrdiff_t output_stride) {
  for (int y = 0; y < kMacroblockWidth; ++y) {
    for (int x = 0; x < kMacroblockWidth; ++x) {
      output[y * output_stride + x] = reconstruct_sample(prediction[y * prediction_stride + x],
                                                         residual[kMacroblockWidth * y + x]);
    }
  }
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_MATH_H_

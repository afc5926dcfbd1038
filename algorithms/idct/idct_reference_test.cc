// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace millrace::idct {
namespace {

using Samples = std::array<std::int16_t, 256>;

constexpr TransformSize kSizes[] = {TransformSize::k4x4, TransformSize::k8x8};

Samples residual_of(TransformSize size, const Samples& coefficients) {
  Samples residual;
  reference_residual(size, coefficients, residual);
  return residual;
}

// Returns column k of the n x n inverse transform matrix in real numbers: the k-th basis vector of
// the integer cosine transform, without the standard's rounding of halves and quarters.
std::vector<double> basis(TransformSize size, int k) {
  if (size == TransformSize::k4x4) {
    const double table[4][4] = {{1, 1, 1, 1}, {1, .5, -.5, -1}, {1, -1, -1, 1}, {.5, -1, 1, -.5}};
    return {table[k], table[k] + 4};
  }
  const double table[8][8] = {{8, 8, 8, 8, 8, 8, 8, 8},     {12, 10, 6, 3, -3, -6, -10, -12},
                              {8, 4, -4, -8, -8, -4, 4, 8}, {10, -3, -12, -6, 6, 12, 3, -10},
                              {8, -8, -8, 8, 8, -8, -8, 8}, {6, -12, 3, 10, -10, -3, 12, -6},
                              {4, -8, 8, -4, -4, 8, -8, 4}, {3, -6, 10, -12, 12, -10, 6, -3}};
  std::vector<double> result(table[k], table[k] + 8);
  for (double& value : result) {
    value /= 8;
  }
  return result;
}

TEST(ReferenceResidual, OfDcAloneIsFlat) {
  for (const TransformSize size : kSizes) {
    const int n = block_width(size);
    Samples coefficients = {};
    coefficients[coefficient_index(size, 1, 1, 0, 0)] = 64 * 7 + 32;
    const Samples residual = residual_of(size, coefficients);
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 16; ++x) {
        EXPECT_EQ(residual[16 * y + x], y / n == 1 && x / n == 1 ? 8 : 0);
      }
    }
  }
}

TEST(ReferenceResidual, OfOneCoefficientIsItsBasisImage) {
  constexpr int kValue = 1600;
  for (const TransformSize size : kSizes) {
    const int n = block_width(size);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        Samples coefficients = {};
        coefficients[coefficient_index(size, 0, 0, i, j)] = kValue;
        const Samples residual = residual_of(size, coefficients);
        const std::vector<double> down = basis(size, i);
        const std::vector<double> across = basis(size, j);
        for (int y = 0; y < n; ++y) {
          for (int x = 0; x < n; ++x) {
            EXPECT_NEAR(residual[16 * y + x], kValue * down[y] * across[x] / 64, 0.6)
                << n << ": c_" << i << j << " at row " << y << ", column " << x;
          }
        }
      }
    }
  }
}

TEST(ReferenceResidual, RoundsRowsBeforeColumns) {
  // c_11 = 1 becomes (1, 0, 0, -1) along its row, then -1 >> 1 rounds down along column 3.
  // Transforming columns first would give the mirror image.
  Samples coefficients = {};
  coefficients[coefficient_index(TransformSize::k4x4, 0, 0, 0, 0)] = 31;
  coefficients[coefficient_index(TransformSize::k4x4, 0, 0, 1, 1)] = 1;
  const Samples residual = residual_of(TransformSize::k4x4, coefficients);
  const int expected[4][4] = {{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}};
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(residual[16 * y + x], expected[y][x]) << "row " << y << ", column " << x;
    }
  }
}

TEST(ReferenceResidual, WrapsAt16Bits) {
  Samples coefficients = {};
  coefficients[coefficient_index(TransformSize::k4x4, 0, 0, 0, 0)] = 32767;
  EXPECT_EQ(residual_of(TransformSize::k4x4, coefficients)[0], (32767 + 32 - 65536) >> 6);
  coefficients[coefficient_index(TransformSize::k4x4, 0, 0, 2, 0)] = 32767;
  EXPECT_EQ(residual_of(TransformSize::k4x4, coefficients)[0], 0);  // (-2 + 32) >> 6
}

TEST(ReferenceReconstruction, IsExactlyClipped) {
  std::vector<std::uint8_t> prediction(32 * 32, 200);
  std::vector<std::uint8_t> output(32 * 32, 17);
  Samples residual = {};
  residual[0] = 55;
  residual[1] = 56;
  residual[2] = -201;
  residual[3] = 32767;
  residual[4] = -32768;
  reference_reconstruction(residual, ConstPlane{prediction.data(), 32, 32, 32},
                           Plane{output.data(), 32, 32, 32}, 3);
  const std::uint8_t* row = output.data() + 16 * 32 + 16;
  EXPECT_EQ(row[0], 255);
  EXPECT_EQ(row[1], 255);
  EXPECT_EQ(row[2], 0);
  EXPECT_EQ(row[3], 255);
  EXPECT_EQ(row[4], 0);
  EXPECT_EQ(row[5], 200);
  EXPECT_EQ(row[-1], 17);
  EXPECT_EQ(row[-32], 17);
}

}  // namespace
}  // namespace millrace::idct

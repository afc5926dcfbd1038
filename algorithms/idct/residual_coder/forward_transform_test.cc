// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/residual_coder/forward_transform.h>

#include <gtest/gtest.h>

#include <cmath>

namespace millrace::idct {
namespace {

constexpr TransformSize kSizes[] = {TransformSize::k4x4, TransformSize::k8x8};

double basis(TransformSize size, int k, int x) {
  constexpr double k4x4[4][4] = {{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
  constexpr double k8x8[8][8] = {{8, 8, 8, 8, 8, 8, 8, 8},     {12, 10, 6, 3, -3, -6, -10, -12},
                                 {8, 4, -4, -8, -8, -4, 4, 8}, {10, -3, -12, -6, 6, 12, 3, -10},
                                 {8, -8, -8, 8, 8, -8, -8, 8}, {6, -12, 3, 10, -10, -3, 12, -6},
                                 {4, -8, 8, -4, -4, 8, -8, 4}, {3, -6, 10, -12, 12, -10, 6, -3}};
  return size == TransformSize::k4x4 ? k4x4[k][x] : k8x8[k][x] / 8;
}

// Returns coefficient w_ij of block (bx, by) in real numbers.
double exact(TransformSize size, const std::int16_t (&residual)[256], int bx, int by, int i,
             int j) {
  const int n = block_width(size);
  double sum = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      sum += basis(size, i, y) * basis(size, j, x) * residual[16 * (n * by + y) + n * bx + x];
    }
  }
  return sum;
}

TEST(ForwardTransform, IsTheMatrixProduct) {
  SeededRandom random;
  std::int16_t residual[256];
  for (std::int16_t& sample : residual) {
    sample = static_cast<std::int16_t>(random.integer(-255, 255));
  }
  for (const TransformSize size : kSizes) {
    const int n = block_width(size);
    const double tolerance = size == TransformSize::k4x4 ? 0 : 12;
    std::int16_t coefficients[256];
    forward_transform(size, residual, coefficients);
    for (int by = 0; by < 16 / n; ++by) {
      for (int bx = 0; bx < 16 / n; ++bx) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            EXPECT_NEAR(coefficients[coefficient_index(size, bx, by, i, j)],
                        exact(size, residual, bx, by, i, j), tolerance);
          }
        }
      }
    }
  }
}

TEST(ForwardTransform, FitsSixteenBitsForEveryResidual) {
  for (const TransformSize size : kSizes) {
    const int n = block_width(size);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        std::int16_t residual[256] = {};  // The residual that makes w_ij largest.
        for (int y = 0; y < n; ++y) {
          for (int x = 0; x < n; ++x) {
            residual[16 * y + x] = basis(size, i, y) * basis(size, j, x) < 0 ? -255 : 255;
          }
        }
        std::int16_t coefficients[256];
        forward_transform(size, residual, coefficients);
        EXPECT_NEAR(coefficients[coefficient_index(size, 0, 0, i, j)],
                    exact(size, residual, 0, 0, i, j), 12);
      }
    }
  }
}

}  // namespace
}  // namespace millrace::idct

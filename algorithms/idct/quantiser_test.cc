// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/quantiser.h>

#include <gtest/gtest.h>

namespace millrace::idct {
namespace {

constexpr auto k4x4 = TransformSize::k4x4;
constexpr auto k8x8 = TransformSize::k8x8;

TEST(QuantiserMultiplier, HasTheWellKnownFirstEntries) {
  EXPECT_EQ(quantiser_multiplier(k4x4, 0, 0, 0), 13107);
  EXPECT_EQ(quantiser_multiplier(k4x4, 0, 1, 1), 5243);
  EXPECT_EQ(quantiser_multiplier(k4x4, 0, 0, 1), 8066);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 0, 0), 13107);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 1, 1), 11428);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 2, 2), 20972);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 0, 1), 12222);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 0, 2), 16777);
  EXPECT_EQ(quantiser_multiplier(k8x8, 0, 1, 2), 15481);
}

TEST(NormAdjust, IsSymmetricAndPeriodic) {
  for (const TransformSize size : {k4x4, k8x8}) {
    for (int m = 0; m < 6; ++m) {
      for (int i = 0; i < block_width(size); ++i) {
        for (int j = 0; j < block_width(size); ++j) {
          EXPECT_EQ(norm_adjust(size, m, i, j), norm_adjust(size, m, j, i));
          EXPECT_EQ(norm_adjust(size, m, i, j), norm_adjust(size, m, i % 4, j % 4));
        }
      }
    }
  }
}

TEST(Dequantised, RoundsAtSmallQp) {
  EXPECT_EQ(dequantised(k4x4, 0, 0, 0, 3), 3 * 10);
  EXPECT_EQ(dequantised(k4x4, 29, 1, 1, -2), -2 * 29 * 16);
  EXPECT_EQ(dequantised(k8x8, 1, 1, 1, 1), 5);    // (1 * 16 * 19 + 32) >> 6
  EXPECT_EQ(dequantised(k8x8, 1, 1, 1, -1), -5);  // (-304 + 32) >> 6 = -4.25 rounded down
  EXPECT_EQ(dequantised(k8x8, 7, 1, 1, 1), 10);   // (304 + 16) >> 5
  EXPECT_EQ(dequantised(k8x8, 51, 0, 0, 1), 28 * 16 * 4);
}

}  // namespace
}  // namespace millrace::idct

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>

#include <gtest/gtest.h>

namespace millrace::h264 {
namespace {

TEST(LevelQuantiser, InterLimitsAreTheLargestCoefficientsOfLevelZero) {
  for (int qp = 0; qp < 52; ++qp) {
    const LevelQuantiser quantiser = level_quantiser(qp);
    for (int i = 0; i < 16; ++i) {
      const auto level = [&](int w) {
        return quantised_level(w, quantiser.raster_4x4[i], quantiser.shift_4x4, kInterRounding);
      };
      const int limit = quantiser.inter_limits_4x4[i];
      EXPECT_EQ(level(limit), 0) << "QP " << qp << ", position " << i;
      EXPECT_EQ(level(limit + 1), 1) << "QP " << qp << ", position " << i;
    }
  }
}

}  // namespace
}  // namespace millrace::h264

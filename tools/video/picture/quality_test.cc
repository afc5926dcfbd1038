// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture/luma_test_helper.h>
#include <millrace/tools/video/picture/quality.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace millrace::tools {
namespace {

TEST(QualityTest, ADifferenceOfThreeHasAMeanSquareOfNine) {
  const Picture a = luma(37, 5, [](int x, int y) { return 100 + x + y; });
  const Picture b = luma(37, 5, [](int x, int y) { return 103 + x + y; });
  EXPECT_EQ(mean_squared_difference(plane_of(a), plane_of(b)), 9);
}

TEST(QualityTest, TheLargestDifferenceDoesNotOverflow) {
  const Picture black = luma(1920, 1080, [](int, int) { return 0; });
  const Picture white = luma(1920, 1080, [](int, int) { return 255; });
  EXPECT_EQ(mean_squared_difference(plane_of(black), plane_of(white)), 255 * 255);
}

TEST(QualityTest, OnlyVisibleSamplesCount) {
  const Picture a = luma(17, 17, [](int, int) { return 9; });
  Picture b = luma(17, 17, [](int, int) { return 9; });
  b.plane(0).row(3)[17] = 200;
  b.plane(0).row(17)[3] = 200;
  EXPECT_EQ(mean_squared_difference(plane_of(a), plane_of(b)), 0);
}

TEST(QualityTest, RejectsPlanesOfDifferentSizes) {
  const Picture a(16, 16);
  const Picture b(16, 18);
  EXPECT_THROW(mean_squared_difference(plane_of(a), plane_of(b)), Error);
  EXPECT_THROW(mean_squared_difference(ConstPicturePlane(), ConstPicturePlane()), Error);
}

TEST(QualityTest, PsnrOfKnownValues) {
  EXPECT_NEAR(psnr_db(1), 48.1308, 1e-4);
  EXPECT_NEAR(psnr_db(255 * 255), 0, 1e-12);
  EXPECT_TRUE(std::isinf(psnr_db(0)));
}

TEST(QualityTest, FlatAndEvenlySlopingPicturesHaveNoBlocks) {
  for (int block : {4, 8, 16}) {
    const Picture flat = luma(50, 40, [](int, int) { return 77; });
    EXPECT_EQ(block_edge_step_ratio(plane_of(flat), block), 1);
    const Picture slope = luma(50, 40, [](int x, int y) { return 2 * x + 2 * y; });
    EXPECT_DOUBLE_EQ(block_edge_step_ratio(plane_of(slope), block), 1);
  }
}

TEST(QualityTest, FlatBlocksOfTenLevelsAreAllEdge) {
  const Picture blocks =
      luma(64, 48, [](int x, int y) { return 100 + 10 * ((x / 8 + y / 8) % 2); });
  EXPECT_DOUBLE_EQ(block_edge_step_ratio(plane_of(blocks), 8), (10 + 1.0 / 16) / (1.0 / 16));
}

TEST(QualityTest, AnEdgeOffTheGridLowersTheRatio) {
  const Picture shifted =
      luma(64, 48, [](int x, int y) { return 100 + 10 * (((x + 4) / 8 + (y + 4) / 8) % 2); });
  EXPECT_LT(block_edge_step_ratio(plane_of(shifted), 8), 1);
}

TEST(QualityTest, TheStepRatioIsItsDefinition) {
  constexpr unsigned kSeed = 20;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (int block : {4, 8, 16}) {
    for (int width : {1, 16, 17, 33, 70}) {
      const Picture noise = luma(width, 37, [&](int, int) { return random() % 256; });
      const ConstPicturePlane plane = plane_of(noise);
      double sums[2] = {};
      double counts[2] = {};
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) {
          if (x + 1 < plane.width) {
            sums[(x + 1) % block == 0] += std::abs(plane.row(y)[x] - plane.row(y)[x + 1]);
            counts[(x + 1) % block == 0] += 1;
          }
          if (y + 1 < plane.height) {
            sums[(y + 1) % block == 0] += std::abs(plane.row(y)[x] - plane.row(y + 1)[x]);
            counts[(y + 1) % block == 0] += 1;
          }
        }
      }
      const double expected = (sums[1] / counts[1] + 1.0 / 16) / (sums[0] / counts[0] + 1.0 / 16);
      EXPECT_NEAR(block_edge_step_ratio(plane, block), expected, 1e-12) << block << " " << width;
    }
  }
}

TEST(QualityTest, RejectsOtherBlockSizes) {
  EXPECT_THROW(block_edge_step_ratio(plane_of(Picture(16, 16)), 5), Error);
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture/luma_test_helper.h>
#include <millrace/tools/video/picture/spatial_temporal_information.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace millrace::tools {
namespace {

double deviation_of(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) {
    squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
  }
  return std::sqrt(squares);
}

// Convolution by Sobel's two kernels.
double spatial_by_definition(const ConstPicturePlane& plane) {
  constexpr int kKernel[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  std::vector<double> lengths;
  for (int y = 1; y < plane.height - 1; ++y) {
    for (int x = 1; x < plane.width - 1; ++x) {
      double down = 0, right = 0;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
          const int sample = plane.row(y + j - 1)[x + i - 1];
          down += kKernel[j][i] * sample;
          right += kKernel[i][j] * sample;
        }
      }
      lengths.push_back(std::hypot(down, right));
    }
  }
  return deviation_of(lengths);
}

TEST(SpatialInformationTest, FlatAndEvenlySlopingPicturesHaveNone) {
  const Picture flat = luma(40, 30, [](int, int) { return 80; });
  EXPECT_EQ(spatial_information(plane_of(flat)), 0);
  const Picture slope = luma(40, 30, [](int x, int y) { return 2 * x + 3 * y; });
  EXPECT_NEAR(spatial_information(plane_of(slope)), 0, 1e-3);
}

// The gradient is 4 x 50 at the two columns beside the edge and 0 at the six others.
TEST(SpatialInformationTest, AnEdgeOfFiftyLevels) {
  const Picture edge = luma(10, 10, [](int x, int) { return x < 5 ? 100 : 150; });
  EXPECT_NEAR(spatial_information(plane_of(edge)), 200 * std::sqrt(0.25 * 0.75), 1e-9);
}

TEST(SpatialInformationTest, IsThatOfTheDefinition) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const auto& [width, height] : {std::pair{3, 3}, {37, 21}, {176, 144}}) {
    const Picture noise = luma(width, height, [&](int, int) { return random() % 256; });
    EXPECT_NEAR(spatial_information(plane_of(noise)), spatial_by_definition(plane_of(noise)), 1e-4);
  }
}

TEST(SpatialInformationTest, PicturesOfTwoRowsHaveNone) {
  EXPECT_EQ(spatial_information(plane_of(Picture(16, 2))), 0);
}

TEST(TemporalInformationTest, AnEvenChangeHasNone) {
  const Picture a = luma(40, 30, [](int x, int y) { return x + y; });
  const Picture b = luma(40, 30, [](int x, int y) { return x + y + 20; });
  EXPECT_EQ(temporal_information(plane_of(a), plane_of(b)), 0);
}

TEST(TemporalInformationTest, IsThatOfTheDefinition) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const Picture a = luma(37, 21, [&](int, int) { return random() % 256; });
  const Picture b = luma(37, 21, [&](int, int) { return random() % 256; });
  std::vector<double> differences;
  for (int y = 0; y < 21; ++y) {
    for (int x = 0; x < 37; ++x) {
      differences.push_back(plane_of(a).row(y)[x] - plane_of(b).row(y)[x]);
    }
  }
  EXPECT_NEAR(temporal_information(plane_of(a), plane_of(b)), deviation_of(differences), 1e-9);
}

TEST(TemporalInformationTest, TheLargestDifferenceDoesNotOverflow) {
  // Half of the samples rise by 255 and half fall.
  const Picture a = luma(1920, 1080, [](int, int y) { return y % 2 == 0 ? 255 : 0; });
  const Picture b = luma(1920, 1080, [](int, int y) { return y % 2 == 0 ? 0 : 255; });
  EXPECT_EQ(temporal_information(plane_of(a), plane_of(b)), 255);
}

TEST(TemporalInformationTest, RejectsPlanesOfDifferentSizes) {
  EXPECT_THROW(temporal_information(plane_of(Picture(16, 16)), plane_of(Picture(16, 18))), Error);
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture/luma_test_helper.h>
#include <millrace/tools/video/picture/structural_similarity.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace millrace::tools {
namespace {

// The paper's equations as they are written, window by window.
double similarity_by_definition(const ConstPicturePlane& a, const ConstPicturePlane& b) {
  constexpr int kWindow = 8;
  constexpr int kStep = 4;
  constexpr double kSamples = kWindow * kWindow;
  const double c1 = std::pow(0.01 * 255, 2);
  const double c2 = std::pow(0.03 * 255, 2);
  double sum = 0;
  int windows = 0;
  for (int top = 0; top + kWindow <= a.height; top += kStep) {
    for (int left = 0; left + kWindow <= a.width; left += kStep) {
      const auto mean_of = [&](const auto& value) {
        double total = 0;
        for (int y = top; y < top + kWindow; ++y) {
          for (int x = left; x < left + kWindow; ++x) total += value(x, y);
        }
        return total / kSamples;
      };
      const double mean_a = mean_of([&](int x, int y) { return a.row(y)[x]; });
      const double mean_b = mean_of([&](int x, int y) { return b.row(y)[x]; });
      constexpr double kUnbiased = kSamples / (kSamples - 1);
      const auto moment = [&](const ConstPicturePlane& p, double mean_p, const ConstPicturePlane& q,
                              double mean_q) {
        return kUnbiased * mean_of([&](int x, int y) {
                 return (p.row(y)[x] - mean_p) * (q.row(y)[x] - mean_q);
               });
      };
      sum += (2 * mean_a * mean_b + c1) * (2 * moment(a, mean_a, b, mean_b) + c2) /
             ((mean_a * mean_a + mean_b * mean_b + c1) *
              (moment(a, mean_a, a, mean_a) + moment(b, mean_b, b, mean_b) + c2));
      ++windows;
    }
  }
  return sum / windows;
}

TEST(StructuralSimilarityTest, EqualPicturesHaveOne) {
  const Picture a = luma(31, 17, [](int x, int y) { return 13 * x * y % 256; });
  EXPECT_DOUBLE_EQ(structural_similarity(plane_of(a), plane_of(a)), 1);
}

// Without contrast and structure the first factor is left: (2 x 100 x 150 + C1) / (100^2 + 150^2 +
// C1), where C1 is 6.5025.
TEST(StructuralSimilarityTest, FlatPicturesDifferByTheirMeans) {
  const Picture a = luma(16, 16, [](int, int) { return 100; });
  const Picture b = luma(16, 16, [](int, int) { return 150; });
  EXPECT_NEAR(structural_similarity(plane_of(a), plane_of(b)), 30006.5025 / 32506.5025, 1e-12);
}

TEST(StructuralSimilarityTest, IsThatOfTheEquations) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const auto& [width, height] : {std::pair{8, 8}, {16, 16}, {37, 21}, {64, 9}, {176, 144}}) {
    const Picture a =
        luma(width, height, [&](int x, int y) { return (3 * x + 5 * y + random() % 40) % 256; });
    const Picture b = luma(
        width, height, [&](int x, int y) { return (plane_of(a).row(y)[x] + random() % 60) % 256; });
    EXPECT_NEAR(structural_similarity(plane_of(a), plane_of(b)),
                similarity_by_definition(plane_of(a), plane_of(b)), 1e-9)
        << width << "x" << height;
  }
}

TEST(StructuralSimilarityTest, PicturesUnderAWindowHaveNone) {
  const Picture a(7, 16);
  EXPECT_TRUE(std::isnan(structural_similarity(plane_of(a), plane_of(a))));
}

TEST(StructuralSimilarityTest, RejectsPlanesOfDifferentSizes) {
  const Picture a(16, 16);
  const Picture b(18, 16);
  EXPECT_THROW(structural_similarity(plane_of(a), plane_of(b)), Error);
}

}  // namespace
}  // namespace millrace::tools

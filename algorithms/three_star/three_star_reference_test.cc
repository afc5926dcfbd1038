// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace millrace::three_star {
namespace {

std::size_t count(const std::vector<Point>& points, std::int32_t radius) {
  return find_three_stars_reference(points, radius).size();
}

TEST(ThreeStarReference, FindsCornersOfAWideTriangle) {
  // Sides of 8, 8 and 8.06; the circle's radius is 4.63.
  const std::vector<Point> points = {{0, 0}, {8, 0}, {4, 7}};
  EXPECT_EQ(find_three_stars_reference(points, 6), (std::vector<ThreeStar>{{0, 1, 2}}));
  EXPECT_EQ(count(points, 5), 1u);
  EXPECT_EQ(count(points, 4), 0u) << "the circle is larger";
  EXPECT_EQ(count(points, 8), 0u) << "two sides are no longer than the radius";
}

TEST(ThreeStarReference, TakesACircleOfJustThatRadius) {
  const std::vector<Point> points = {{5, 0}, {-3, 4}, {-4, -3}};
  EXPECT_EQ(count(points, 5), 1u);
}

TEST(ThreeStarReference, LeavesASideOfJustTheRadius) {
  // Sides of 10, 13 and 13 or, a little further, 13.04.
  EXPECT_EQ(count({{0, 0}, {10, 0}, {5, 12}}, 10), 0u);
  EXPECT_EQ(count({{0, 0}, {11, 0}, {5, 12}}, 10), 1u);
}

TEST(ThreeStarReference, LeavesPointsOnALineAndAtOnePosition) {
  EXPECT_EQ(count({{0, 0}, {6, 0}, {12, 0}}, 5), 0u);
  EXPECT_EQ(count({{0, 0}, {0, 0}, {6, 0}, {6, 0}}, 5), 0u);
}

TEST(ThreeStarReference, IsExactAtTheLargestRadius) {
  const std::int32_t r = kMostRadius;
  // The circle through the corners of a right triangle is as wide as its longest side, which is 2 r
  // or less.
  EXPECT_TRUE(is_three_star(Point{0, 0}, {2 * r, 0}, {r, r}, r));
  EXPECT_FALSE(is_three_star(Point{0, 0}, {2 * r, 0}, {r, r + 1}, r));
  EXPECT_FALSE(is_three_star(Point{0, 0}, {2 * r, 0}, {r, r - 1}, r));
}

TEST(ThreeStarReference, TakesAnyTwoCoordinates) {
  const std::int32_t least = INT32_MIN;
  const std::int32_t most = INT32_MAX;
  EXPECT_EQ(count({{least, least}, {least + 8, least}, {least + 4, least + 7}, {most, most}}, 6),
            1u);
  EXPECT_EQ(count({{most, most}, {most - 8, most}, {most - 4, most - 7}, {least, most}}, 6), 1u);
}

TEST(ThreeStarReference, AgreesWithTheFormulaWhereThatIsClear) {
  SeededRandom random;
  constexpr double kRadius = 1000;
  int stars = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto coordinate = [&] { return static_cast<std::int32_t>(random(0, 2000)); };
    const Point p[3] = {
        {coordinate(), coordinate()}, {coordinate(), coordinate()}, {coordinate(), coordinate()}};
    const double a = std::hypot(p[0].x - p[1].x, p[0].y - p[1].y);
    const double b = std::hypot(p[1].x - p[2].x, p[1].y - p[2].y);
    const double c = std::hypot(p[2].x - p[0].x, p[2].y - p[0].y);
    const double s = (a + b + c) / 2;
    const double area = std::sqrt(std::max(0.0, s * (s - a) * (s - b) * (s - c)));
    const double circle = a * b * c / (4 * area);
    if (std::abs(circle - kRadius) < 1e-3) continue;
    const bool is_star = a > kRadius && b > kRadius && c > kRadius && circle < kRadius;
    EXPECT_EQ(is_three_star(p[0], p[1], p[2], 1000), is_star) << circle;
    stars += is_star ? 1 : 0;
  }
  EXPECT_GT(stars, 100);
}

TEST(SetHash, IsTheSumOfItsTerms) {
  // SplitMix64 from state 0, and from 1 << 42 ^ 2 << 21 ^ 3.
  EXPECT_EQ(splitmix64(0), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(hash_of({1, 2, 3}), splitmix64((1ull << 42) + (1ull << 22) + 3));
}

}  // namespace
}  // namespace millrace::three_star

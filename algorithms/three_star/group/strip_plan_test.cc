// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace millrace::three_star {
namespace {

CellGrid grid_of(const std::vector<Point>& points, std::int32_t radius) {
  std::vector<std::uint32_t> ids(points.size());
  std::iota(ids.begin(), ids.end(), 0U);
  if (!points.empty()) {
    const CellNumbers numbers(box_of(points), radius);
    std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
      return numbers.number(points[a]) < numbers.number(points[b]);
    });
  }
  return CellGrid(points, radius, ids);
}

// Returns the lowest corner's index among the points.
std::uint32_t lowest_of(const std::vector<Point>& points, const ThreeStar& star) {
  std::uint32_t lowest = star.a;
  for (const std::uint32_t other : {star.b, star.c}) {
    if (!is_before(offset(points[lowest], points[other]))) lowest = other;
  }
  return lowest;
}

// Returns the 3-stars that a strip's points alone make and that are the strip's.
std::vector<ThreeStar> stars_of(const StripPoints& strip, std::int32_t radius) {
  std::vector<ThreeStar> stars;
  for (const ThreeStar& star : find_three_stars_reference(strip.points, radius)) {
    const std::uint32_t corner = lowest_of(strip.points, star);
    if (corner < strip.corners.begin || corner >= strip.corners.end) continue;
    stars.push_back(star_of(strip.ids[star.a], strip.ids[star.b], strip.ids[star.c]));
  }
  return stars;
}

TEST(StripPlan, FindEachThreeStarOnce) {
  SeededRandom random;
  for (const Sensors& sensors : all_kinds(random, 60)) {
    SCOPED_TRACE(sensors.name);
    const CellGrid grid = grid_of(sensors.points, sensors.radius);
    const auto expected = find_three_stars_reference(sensors.points, sensors.radius);
    for (const std::vector<double>& weights :
         {std::vector<double>{1}, {1, 1}, {1, 5, 2}, {0, 1, 1}, {1, 0}, {1, 1, 1, 1, 1, 1, 1}}) {
      std::vector<ThreeStar> found;
      for (const Strip& strip : StripPlan(grid).strips(weights)) {
        const auto some = stars_of(StripPoints(grid, strip), sensors.radius);
        found.insert(found.end(), some.begin(), some.end());
      }
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected) << weights.size() << " strips";
    }
  }
}

TEST(StripPlan, HaveTheOrderOfTheWholeGrid) {
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 500, -300, 600);
  const CellGrid grid = grid_of(points, 40);
  for (const Strip& strip : StripPlan(grid).strips(std::vector<double>{1, 1, 1})) {
    const StripPoints some(grid, strip);
    const CellGrid own = grid_of(some.points, 40);
    std::vector<std::uint32_t> in_order(some.points.size());
    std::iota(in_order.begin(), in_order.end(), 0U);
    EXPECT_TRUE(std::equal(in_order.begin(), in_order.end(), own.ids()));
    // A corner's neighbours are those it has in the whole grid, by the same numbers.
    for (std::uint32_t corner = some.corners.begin; corner < some.corners.end; ++corner) {
      const auto near = own.neighbours(own.cell_of(corner));
      const auto all = grid.neighbours(grid.cell_of(corner + strip.points.begin));
      ASSERT_EQ(near.size(), all.size());
      for (std::uint32_t i = 0; i < near.size(); ++i) {
        EXPECT_EQ(near.grid_index(i) + strip.points.begin, all.grid_index(i));
      }
    }
  }
}

TEST(StripPlan, HaveEvenWorkAlsoWhereACellHasMostOfIt) {
  SeededRandom random;
  std::vector<Point> points = scattered(random, 2000, 0, 50);
  for (const Point& point : scattered(random, 500, -3000, 6000)) points.push_back(point);
  const CellGrid grid = grid_of(points, 50);
  const std::vector<Strip> strips = StripPlan(grid).strips(std::vector<double>{1, 1});
  for (const Strip& strip : strips) EXPECT_NEAR(strip.corners.size(), 1250, 300);
}

TEST(StripPlan, OfRangesOfWorkJoin) {
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 300, -300, 600);
  const CellGrid grid = grid_of(points, 40);
  const StripPlan plan(grid);
  std::uint32_t next = 0;
  for (std::uint64_t begin = 0; begin < plan.work();) {
    const std::uint64_t end = std::min<std::uint64_t>(plan.work(), begin + random(0, 300));
    const Strip strip = plan.strip(begin, end);
    if (strip.corners.size() > 0) {
      EXPECT_EQ(strip.corners.begin, next);
      next = strip.corners.end;
    }
    begin = end;
  }
  EXPECT_EQ(next, points.size());
}

TEST(StripPlan, HaveAHaloOfARowAndTwoCells) {
  std::vector<Point> points;
  for (std::int32_t y = 0; y < 10; ++y) {
    for (std::int32_t x = 0; x < 10; ++x) points.push_back({100 * x + 50, 100 * y + 50});
  }
  const CellGrid grid = grid_of(points, 50);
  const Strip strip = StripPlan(grid).strips(std::vector<double>{1, 1, 1})[1];
  EXPECT_EQ(strip.points.begin, strip.corners.begin - 1);
  EXPECT_EQ(strip.points.end, strip.corners.end + 11);
}

TEST(StripPlan, RejectWeightsThatAreNone) {
  const CellGrid grid = grid_of({{0, 0}}, 5);
  const StripPlan plan(grid);
  EXPECT_THROW(plan.strips(std::vector<double>{}), Error);
  EXPECT_THROW(plan.strips(std::vector<double>{0}), Error);
  EXPECT_THROW(plan.strips(std::vector<double>{-1, 2}), Error);
}

}  // namespace
}  // namespace millrace::three_star

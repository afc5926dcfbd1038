// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/group/cell_work.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace millrace::three_star {
namespace {

class CellWorkTest : public testing::Test {
 protected:
  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
};

// Returns the first corner behind a fraction of the work.
std::uint32_t corner_at(const CellWork& work, double fraction) {
  return work.corner_at(static_cast<std::uint64_t>(fraction * static_cast<double>(work.work())));
}

TEST_F(CellWorkTest, OfPointsBelowTheSampleSizeIsThatOfTheirGrid) {
  SeededRandom random;
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    const std::optional<CellWork> estimated = estimated_work(sensors.points, sensors.radius);
    if (!estimated) continue;
    const CellGrid grid(*queue, sensors.points, sensors.radius);
    const StripPlan plan(grid);
    ASSERT_EQ(estimated->work(), plan.work());
    ASSERT_EQ(estimated->points(), sensors.points.size());
    for (std::uint64_t begin = 0; begin < plan.work(); begin += 1 + plan.work() / 9) {
      const IndexRange corners = estimated->corners(begin, plan.work());
      const Strip strip = plan.strip(begin, plan.work());
      ASSERT_EQ(corners.end, sensors.points.size());
      if (strip.corners.size() > 0) {
        EXPECT_EQ(corners.begin, strip.corners.begin);
      }
    }
  }
}

TEST_F(CellWorkTest, OfManyPointsIsAboutThatOfTheirGrid) {
  std::vector<Point> points = random_points(150'000);
  // A third of them in one corner, so that half of the work is not done by half of the points.
  for (std::size_t i = 0; i < points.size(); i += 3) {
    points[i] = {points[i].x / 4, points[i].y / 4};
  }
  const std::optional<CellWork> estimated = estimated_work(points, 50);
  ASSERT_TRUE(estimated.has_value());
  EXPECT_EQ(estimated->points(), points.size());
  const CellGrid grid(*queue, points, 50);
  const StripPlan plan(grid);
  const auto all = static_cast<double>(plan.work());
  EXPECT_NEAR(static_cast<double>(estimated->work()), all, 0.02 * all);
  for (const double fraction : {0.25, 0.5, 0.75}) {
    const auto exact = plan.strip(static_cast<std::uint64_t>(fraction * all), plan.work());
    const double off = static_cast<double>(corner_at(*estimated, fraction)) - exact.corners.begin;
    EXPECT_LT(std::abs(off), 0.02 * static_cast<double>(points.size())) << fraction;
  }
}

TEST_F(CellWorkTest, AdjoiningRangesHaveEachCornerOnce) {
  const std::vector<Point> points = random_points(70'000);
  const std::optional<CellWork> work = estimated_work(points, 50);
  ASSERT_TRUE(work.has_value());
  std::uint32_t next = 0;
  const std::uint64_t step = work->work() / 7 + 1;
  for (std::uint64_t begin = 0; begin < work->work(); begin += step) {
    const IndexRange corners = work->corners(begin, std::min(begin + step, work->work()));
    EXPECT_EQ(corners.begin, next);
    next = corners.end;
  }
  EXPECT_EQ(next, points.size());
}

TEST_F(CellWorkTest, OfDistantPointsIsNone) {
  EXPECT_FALSE(estimated_work(std::vector<Point>{{0, 0}, {2'000'000'000, 0}}, 1).has_value());
  EXPECT_FALSE(estimated_work(std::vector<Point>{{0, 0}, {0, 2'000'000'000}}, 1).has_value());
  EXPECT_TRUE(
      estimated_work(std::vector<Point>{{0, 0}, {0, 2'000'000'000}}, 1'000'000).has_value());
  EXPECT_EQ(estimated_work({}, 1)->work(), 0u);
}

}  // namespace
}  // namespace millrace::three_star

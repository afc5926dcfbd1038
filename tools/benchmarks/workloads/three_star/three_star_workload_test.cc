// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::ThreeStar;

TEST(ThreeStarWorkload, AllWorkFindsWhatTheReferenceFinds) {
  const std::vector<Point> points = clustered_points(450);
  std::vector<std::uint64_t> right(points.size());
  const auto stars = find_three_stars_reference(points, kThreeStarRadius);
  ASSERT_FALSE(stars.empty());
  for (const ThreeStar& star : stars) {
    for (const std::uint32_t sensor : {star.a, star.b, star.c}) ++right[sensor];
  }
  three_star::SearchOptions options;
  options.radius = kThreeStarRadius;
  const auto queue = open_device("tbb")->make_queue();
  EXPECT_EQ(checked_three_stars(*queue, points, options), right);
  for (ThreeStarWork* const work :
       {&count_only, &compress_only, &count_by_sensor, &visit_ids, &bring_raw}) {
    std::uint64_t bytes = 0;
    EXPECT_EQ(work(*queue, points, options, bytes).three_stars, stars.size());
  }
}

}  // namespace
}  // namespace millrace::tools

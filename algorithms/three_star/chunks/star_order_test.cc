// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_order.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <vector>

namespace millrace::three_star {
namespace {

class StarOrderTest : public testing::Test {
 protected:
  std::vector<ThreeStar> in_order(const std::vector<Point>& points, std::int32_t radius,
                                  std::size_t memory_bytes) {
    std::vector<ThreeStar> stars;
    searches = 0;
    const SearchReport report = visit_in_order(
        *queue, points, radius,
        [&](const ChunkVisitor& take) {
          ++searches;
          return compress_three_stars(*queue, points, {.radius = radius}, take);
        },
        [&](std::span<const ThreeStar> some) {
          stars.insert(stars.end(), some.begin(), some.end());
        },
        memory_bytes);
    EXPECT_EQ(report.three_stars, stars.size());
    return stars;
  }

  int searches = 0;  // Searches of the last call.
  static constexpr std::size_t kPlenty = std::size_t{1} << 26;
  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
};

TEST_F(StarOrderTest, IsThatOfTheReference) {
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    EXPECT_EQ(in_order(sensors.points, sensors.radius, kPlenty),
              find_three_stars_reference(sensors.points, sensors.radius));
  }
}

TEST_F(StarOrderTest, IsTheSameInLittleMemory) {
  const std::vector<Point> points = scattered(random, 300, 0, 300);
  const std::vector<ThreeStar> stars = find_three_stars_reference(points, 50);
  ASSERT_GT(stars.size(), 10'000U);
  EXPECT_EQ(in_order(points, 50, 100'000), stars) << "chunks are kept, and there are many groups";
  EXPECT_EQ(searches, 1);
  EXPECT_EQ(in_order(points, 50, 20'000), stars) << "chunks have no capacity, either";
  EXPECT_GT(searches, 2);
  const std::vector<Point> some(points.begin(), points.begin() + 60);
  EXPECT_EQ(in_order(some, 50, 1), find_three_stars_reference(some, 50)) << "each point is a group";
}

TEST_F(StarOrderTest, WhatTheVisitorThrowsComesOut) {
  const std::vector<Point> points = scattered(random, 300, 0, 300);
  const auto fail = [](auto) { throw Error(ErrorCode::kCancelled, "enough"); };
  const auto search = [&](const ChunkVisitor& take) {
    return compress_three_stars(*queue, points, {.radius = 50}, take);
  };
  EXPECT_THROW(visit_in_order(*queue, points, 50, search, fail), Error);
}

}  // namespace
}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/placement/relay_check.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <stop_token>

namespace millrace::three_star {
namespace {

class PlacementTest : public testing::Test {
 protected:
  Placement place(std::span<const Point> sensors, std::int32_t radius) {
    Placement placement = place_relays(*queue_, sensors, radius);
    expect_whole(placement, sensors, radius);
    return placement;
  }

  std::shared_ptr<Queue> queue_ = some_device()->make_queue();

 private:
  // Expects a tree of links that are short enough, and no more relays than by the tree alone.
  static void expect_whole(const Placement& placement, std::span<const Point> sensors,
                           std::int32_t radius) {
    std::vector<Position> nodes = positions_of(sensors);
    for (const Relay& relay : placement.relays) nodes.push_back(relay.position);
    std::vector<std::uint32_t> group(nodes.size());
    std::iota(group.begin(), group.end(), 0U);
    const auto find = [&](std::uint32_t node) {
      while (group[node] != node) node = group[node];
      return node;
    };
    for (const Link& link : placement.links) {
      EXPECT_LE(squared_distance(nodes[link.a], nodes[link.b]), std::pow(relay_reach(radius), 2));
      EXPECT_NE(find(link.a), find(link.b)) << "a cycle";
      group[find(link.a)] = find(link.b);
    }
    EXPECT_EQ(placement.links.size() + 1, std::max<std::size_t>(nodes.size(), 1));
    EXPECT_TRUE(placement.is_connected);
    EXPECT_LE(placement.relays.size(), placement.tree_relays);
    EXPECT_EQ(placement.relays.size(),
              std::min(placement.tree_relays, placement.three_star_relays));
  }
};

TEST_F(PlacementTest, AThreeStarTakesOneRelayInItsMiddle) {
  const Point sensors[] = {{-4, 3}, {4, 3}, {0, -5}};
  const Placement placement = place(sensors, 6);
  EXPECT_EQ(placement.method, PlacementMethod::kThreeStar);
  ASSERT_EQ(placement.relays.size(), 1U);
  EXPECT_NEAR(placement.relays[0].position.x, 0, 1e-12);
  EXPECT_NEAR(placement.relays[0].position.y, 0, 1e-12);
  EXPECT_TRUE(placement.relays[0].joins_three);
  EXPECT_EQ(placement.tree_relays, 2U);
  EXPECT_EQ(placement.components, 3U);
}

TEST_F(PlacementTest, AnObtuseTriangleTakesOneOnItsLongestSide) {
  const Point sensors[] = {{0, 0}, {18, 0}, {9, 5}};
  const Placement placement = place(sensors, 10);
  ASSERT_EQ(placement.relays.size(), 1U);
  EXPECT_EQ(placement.relays[0].position, (Position{9, 0}));
}

TEST_F(PlacementTest, OneRelayMayJoinFour) {
  const Point sensors[] = {{0, 0}, {12, 0}, {0, 12}, {12, 12}};
  EXPECT_EQ(place(sensors, 10).relays.size(), 1U);
}

TEST_F(PlacementTest, OnALineRelaysAreAtEqualDistances) {
  const Point sensors[] = {{0, 0}, {30, 0}};
  const Placement placement = place(sensors, 11);
  EXPECT_EQ(placement.method, PlacementMethod::kTree);
  ASSERT_EQ(placement.relays.size(), 2U);
  EXPECT_DOUBLE_EQ(placement.relays[0].position.x, 10);
  EXPECT_DOUBLE_EQ(placement.relays[1].position.x, 20);
  EXPECT_FALSE(placement.relays[0].joins_three);
}

TEST_F(PlacementTest, AMultipleOfTheRadiusTakesNoneMoreThanItMust) {
  const Point sensors[] = {{0, 0}, {30, 40}, {60, 80}};
  EXPECT_EQ(place(sensors, 10).relays.size(), 8U);
}

TEST_F(PlacementTest, WhatIsConnectedTakesNone) {
  const Point connected[] = {{0, 0}, {3, 4}, {6, 8}, {3, 4}};
  const Placement placement = place(connected, 5);
  EXPECT_EQ(placement.method, PlacementMethod::kNothing);
  EXPECT_EQ(placement.components, 1U);
  EXPECT_TRUE(placement.relays.empty());
}

TEST_F(PlacementTest, NoneAndOneAreConnected) {
  EXPECT_EQ(place({}, 5).components, 0U);
  const Point one = {7, 7};
  EXPECT_EQ(place({&one, 1}, 5).method, PlacementMethod::kNothing);
}

TEST_F(PlacementTest, FarClustersAreConnectedAlongTheShortestWay) {
  const Point sensors[] = {{0, 0}, {1, 1}, {2'000'000'000, 0}, {2'000'000'000, 1}};
  // (1, 1) to (2000000000, 1).
  EXPECT_EQ(place(sensors, 1'000'000).relays.size(), 1999U);
}

TEST_F(PlacementTest, ASmallRadiusFarFromTheOriginIsRoundedFor) {
  const Point sensors[] = {{2'000'000'000, 2'000'000'000}, {2'000'000'003, 2'000'000'004}};
  EXPECT_EQ(place(sensors, 1).relays.size(), 4U);
}

TEST_F(PlacementTest, IsConnectedAndNeverWorseThanTheTree) {
  SeededRandom random;
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    if (std::string_view(sensors.name) == "at the corners of the 32-bit range") continue;
    place(sensors.points, sensors.radius);
  }
}

TEST_F(PlacementTest, SavesRelaysOfScatteredSensors) {
  const Placement placement = place(random_points(1600), 50);
  EXPECT_EQ(placement.method, PlacementMethod::kThreeStar);
  EXPECT_LT(placement.three_star_relays, placement.tree_relays * 8 / 10);
}

TEST_F(PlacementTest, ThinsDenseClusters) {
  SeededRandom random;
  std::vector<Point> sensors;
  for (const Point& middle : {Point{0, 0}, Point{1'250'000, 0}, Point{625'000, 1'080'000}}) {
    for (const Point& point : scattered(random, 4'500, 0, 90'000)) {
      sensors.push_back({middle.x + point.x, middle.y + point.y});
    }
  }
  const Placement placement = place(sensors, kMostRadius);
  EXPECT_TRUE(placement.is_thinned);
  EXPECT_EQ(placement.components, 3U);
  EXPECT_EQ(placement.relays.size(), 1U);
}

TEST_F(PlacementTest, RejectsMoreRelaysThanItKeeps) {
  const Point sensors[] = {{INT32_MIN, 0}, {INT32_MAX, 0}};
  EXPECT_THROW(place_relays(*queue_, sensors, 1), Error);
}

TEST_F(PlacementTest, SaysThatItWasStopped) {
  std::stop_source stop;
  stop.request_stop();
  try {
    place_relays(*queue_, random_points(1600), 50, stop.get_token());
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST_F(PlacementTest, RejectsARadiusThatIsNone) {
  EXPECT_THROW(place_relays(*queue_, {}, 0), Error);
  EXPECT_THROW(place_relays(*queue_, {}, kMostRadius + 1), Error);
}

}  // namespace
}  // namespace millrace::three_star

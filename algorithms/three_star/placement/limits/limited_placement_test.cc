// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/limited_placement.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace millrace::three_star {
namespace {

// Conditions in the words of placement_limits.h, tested pair by pair.
struct ReferenceLimits {
  std::span<const Point> sensors;
  std::int32_t radius;
  std::vector<double> ranges{};
  std::vector<Point> fixed{};
  std::vector<Link> links{};
  bool has_listed_links = false;
  std::vector<AreaPolygon> polygons{};

  PlacementLimits limits() const {
    return {.ranges = ranges,
            .fixed = fixed,
            .links = links,
            .has_listed_links = has_listed_links,
            .forbidden = ForbiddenArea(polygons, radius / 1000.0)};
  }

  double range(std::size_t node) const { return node < ranges.size() ? ranges[node] : radius; }

  bool receives(std::uint32_t a, std::uint32_t b, double distance) const {
    bool is_a_listed = false;
    bool is_b_listed = false;
    for (const Link& link : links) {
      if (std::set{link.a, link.b} == std::set{a, b}) return true;
      is_a_listed = is_a_listed || link.a == a || link.b == a;
      is_b_listed = is_b_listed || link.a == b || link.b == b;
    }
    if (is_a_listed && is_b_listed && has_listed_links) return false;
    const bool are_sensors = a < sensors.size() && b < sensors.size();
    return distance <= std::min(range(a), range(b)) + (are_sensors ? 0 : 1e-5);
  }

  // Components of sensors among these nodes, whose first are the sensors.
  std::size_t components(std::span<const Position> nodes) const {
    std::vector<std::uint32_t> group(nodes.size());
    std::iota(group.begin(), group.end(), 0U);
    for (bool is_changed = true; std::exchange(is_changed, false);) {
      for (std::uint32_t a = 0; a < nodes.size(); ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
          if (group[a] == group[b]) continue;
          if (!receives(a, b, std::sqrt(squared_distance(nodes[a], nodes[b])))) continue;
          group[a] = group[b] = std::min(group[a], group[b]);
          is_changed = true;
        }
      }
    }
    return std::set(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(sensors.size()))
        .size();
  }

  bool is_forbidden(const Position& position) const {
    for (const AreaPolygon& polygon : polygons) {
      bool is_inside = false;
      for (const Ring& ring : polygon.rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const Position& from = ring[i];
          const Position& to = ring[(i + 1) % ring.size()];
          if ((from.y > position.y) == (to.y > position.y)) continue;
          const double x = from.x + (position.y - from.y) / (to.y - from.y) * (to.x - from.x);
          if (position.x < x) is_inside = !is_inside;
        }
      }
      if (is_inside) return true;
    }
    return false;
  }
};

class LimitedPlacementTest : public testing::Test {
 protected:
  Placement place(const ReferenceLimits& wanted) {
    const PlacementLimits limits = wanted.limits();
    Placement placement = place_relays(*queue_, wanted.sensors, wanted.radius, limits);
    expect_whole(placement, wanted);
    return placement;
  }

  std::shared_ptr<Queue> queue_ = some_device()->make_queue();

 private:
  static void expect_whole(const Placement& placement, const ReferenceLimits& wanted) {
    std::vector<Position> nodes = positions_of(wanted.sensors);
    std::vector<Position> before = nodes;
    for (const Point& relay : wanted.fixed) before.push_back(position_of(relay));
    EXPECT_EQ(placement.components, wanted.components(before));
    for (const Relay& relay : placement.relays) {
      EXPECT_FALSE(wanted.is_forbidden(relay.position))
          << relay.position.x << ' ' << relay.position.y;
      nodes.push_back(relay.position);
    }
    for (const std::uint32_t i : placement.fixed) nodes.push_back(position_of(wanted.fixed[i]));
    // Relays that are not in the tree are not needed.
    EXPECT_LE(wanted.components(nodes), 1U);
    EXPECT_TRUE(placement.is_connected);
    for (const Link& link : placement.links) {
      EXPECT_TRUE(wanted.receives(link.a, link.b,
                                  std::sqrt(squared_distance(nodes[link.a], nodes[link.b]))))
          << link.a << ' ' << link.b;
    }
    EXPECT_EQ(placement.links.size() + 1, std::max<std::size_t>(nodes.size(), 1));
    EXPECT_EQ(placement.relays.size(),
              std::min(placement.tree_relays, placement.three_star_relays));
  }
};

// A ring around a rectangle.
Ring rectangle(double left, double bottom, double right, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

TEST_F(LimitedPlacementTest, ARelayThatExistsIsNotPlacedAgain) {
  const Point sensors[] = {{0, 0}, {40, 0}};
  EXPECT_EQ(place({sensors, 10}).relays.size(), 3U);
  const Placement placement = place({.sensors = sensors, .radius = 10, .fixed = {{20, 0}}});
  EXPECT_EQ(placement.relays.size(), 2U);
  EXPECT_EQ(placement.fixed, (std::vector<std::uint32_t>{0}));
}

TEST_F(LimitedPlacementTest, RelaysThatSaveNothingAreNotUsed) {
  const Point sensors[] = {{0, 0}, {40, 0}};
  const Placement placement =
      place({.sensors = sensors, .radius = 10, .fixed = {{20, 90}, {-50, 0}, {20, 0}}});
  EXPECT_EQ(placement.relays.size(), 2U);
  EXPECT_EQ(placement.fixed, (std::vector<std::uint32_t>{2}));
}

TEST_F(LimitedPlacementTest, RelaysThatJoinAllTakeNoMore) {
  const Point sensors[] = {{-4, 3}, {4, 3}, {0, -5}};
  const Placement placement = place({.sensors = sensors, .radius = 6, .fixed = {{0, 0}}});
  EXPECT_EQ(placement.method, PlacementMethod::kNothing);
  EXPECT_EQ(placement.components, 1U);
  EXPECT_TRUE(placement.relays.empty());
}

TEST_F(LimitedPlacementTest, TheSmallerRangeOfBothDecides) {
  const Point sensors[] = {{0, 0}, {9, 0}};
  EXPECT_EQ(place({.sensors = sensors, .radius = 10, .ranges = {9, 20}}).relays.size(), 0U);
  EXPECT_EQ(place({.sensors = sensors, .radius = 10, .ranges = {8.9, 20}}).relays.size(), 1U);
  const Point far[] = {{0, 0}, {15, 0}};
  EXPECT_EQ(place({.sensors = far, .radius = 10, .ranges = {15, 20}}).relays.size(), 0U);
}

TEST_F(LimitedPlacementTest, ASmallRangeTakesARelayBeside) {
  // 3 + 10 + 10 + 2 = 25 takes three relays, 26 takes four.
  const Point sensors[] = {{0, 0}, {25, 0}};
  EXPECT_EQ(place({.sensors = sensors, .radius = 10, .ranges = {3, 2}}).relays.size(), 3U);
  const Point further[] = {{0, 0}, {26, 0}};
  EXPECT_EQ(place({.sensors = further, .radius = 10, .ranges = {3, 2}}).relays.size(), 4U);
}

TEST_F(LimitedPlacementTest, ARelayOfThreeIsInTheRangesOfAll) {
  const Point sensors[] = {{0, 0}, {14, 0}, {5, 12}};
  const Placement placement = place({.sensors = sensors, .radius = 10, .ranges = {6, 10, 10}});
  EXPECT_EQ(placement.relays.size(), 1U);
}

TEST_F(LimitedPlacementTest, ListedLinksDecideInsteadOfDistance) {
  const Point sensors[] = {{0, 0}, {1, 0}, {500, 0}, {501, 0}};
  const ReferenceLimits wanted = {
      .sensors = sensors, .radius = 10, .links = {{0, 2}, {1, 2}}, .has_listed_links = true};
  const Placement placement = place(wanted);
  EXPECT_EQ(placement.components, 1U) << "the last sensor is not listed, and receives by distance";
  const ReferenceLimits separate = {
      .sensors = sensors, .radius = 10, .links = {{0, 2}, {3, 1}}, .has_listed_links = true};
  EXPECT_EQ(place(separate).components, 2U) << "0 and 1 are near, listed, and no pair";
  EXPECT_EQ(place(separate).relays.size(), 1U);
}

TEST_F(LimitedPlacementTest, ARelayJumpsOverANarrowArea) {
  const Point sensors[] = {{0, 0}, {30, 0}};
  const ReferenceLimits wanted = {
      .sensors = sensors, .radius = 10, .polygons = {{{rectangle(9.5, -50, 14, 50)}}}};
  EXPECT_EQ(place(wanted).relays.size(), 3U);
}

TEST_F(LimitedPlacementTest, RelaysGoAroundAWideArea) {
  const Point sensors[] = {{0, 0}, {60, 0}};
  const ReferenceLimits wanted = {
      .sensors = sensors, .radius = 10, .polygons = {{{rectangle(15, -30, 45, 20)}}}};
  const Placement placement = place(wanted);
  // No shorter way than over both upper corners: 2 * 25 + 30 = 80, of which a relay may cut some.
  EXPECT_GE(placement.relays.size(), 6U);
  EXPECT_LE(placement.relays.size(), 9U);
}

TEST_F(LimitedPlacementTest, AnEnclosedYardIsLeftOverItsFence) {
  const Point sensors[] = {{0, 0}, {40, 0}};
  const AreaPolygon fence = {{rectangle(-8, -8, 8, 8), rectangle(-5, -5, 5, 5)}};
  place({.sensors = sensors, .radius = 10, .polygons = {fence}});
}

TEST_F(LimitedPlacementTest, ASensorThatNoRelayReachesIsNamed) {
  const Point sensors[] = {{100, 0}, {0, 0}, {105, 3}};
  const ReferenceLimits wanted = {
      .sensors = sensors, .radius = 10, .polygons = {{{rectangle(-11, -11, 11, 11)}}}};
  try {
    place(wanted);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("point 1 "), std::string::npos) << error.what();
  }
}

// Relays of the minimum spanning tree over all pairs of these nodes, tried with each subset of the
// relays that exist.
std::uint64_t least_tree(const ReferenceLimits& wanted) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t kept = 0; kept < 1U << wanted.fixed.size(); ++kept) {
    std::vector<Position> nodes = positions_of(wanted.sensors);
    for (std::size_t i = 0; i < wanted.fixed.size(); ++i) {
      if ((kept >> i & 1) != 0) nodes.push_back(position_of(wanted.fixed[i]));
    }
    // Prim's algorithm.
    std::vector<std::uint64_t> cost(nodes.size(), std::numeric_limits<std::uint64_t>::max());
    std::vector<bool> is_in(nodes.size());
    std::uint64_t sum = 0;
    cost[0] = 0;
    for (std::size_t step = 0; step < nodes.size(); ++step) {
      std::uint32_t next = 0;
      while (is_in[next]) ++next;
      for (std::uint32_t i = next; i < nodes.size(); ++i) {
        if (!is_in[i] && cost[i] < cost[next]) next = i;
      }
      is_in[next] = true;
      sum += cost[next];
      for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const double distance = std::sqrt(squared_distance(nodes[next], nodes[i]));
        const double radius = wanted.radius;
        const double rest =
            distance - std::min(radius, wanted.range(next)) - std::min(radius, wanted.range(i));
        const auto relays =
            wanted.receives(next, i, distance)
                ? 0
                : 1 + static_cast<std::uint64_t>(std::ceil(std::max(0.0, rest / radius - 1e-6)));
        cost[i] = std::min<std::uint64_t>(cost[i], relays);
      }
    }
    least = std::min(least, sum);
  }
  return least;
}

TEST_F(LimitedPlacementTest, RandomConditionsHoldAndTreesAreSmall) {
  SeededRandom random;
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<Point> sensors = scattered(random, random(1, 25), 0, 400);
    ReferenceLimits wanted = {.sensors = sensors, .radius = 40};
    if (random(0, 1) == 0) {
      for (std::size_t i = 0; i < sensors.size(); ++i) {
        wanted.ranges.push_back(static_cast<double>(random(10, 800)) / 10);
      }
    }
    wanted.fixed = scattered(random, random(0, 4), 0, 400);
    if (random(0, 1) == 0 && sensors.size() > 1) {
      wanted.has_listed_links = true;
      for (std::uint64_t i = random(0, 20); i > 0; --i) {
        const auto a = static_cast<std::uint32_t>(random(0, sensors.size() - 1));
        const auto b = static_cast<std::uint32_t>(random(0, sensors.size() - 1));
        if (a != b) wanted.links.push_back({a, b});
      }
    }
    const Placement placement = place(wanted);
    const std::uint64_t least = least_tree(wanted);
    EXPECT_GE(placement.tree_relays, least);
    EXPECT_LE(placement.tree_relays, 2 * least + 2);
  }
}

TEST_F(LimitedPlacementTest, RandomAreasHaveNoRelays) {
  SeededRandom random;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Point> sensors = scattered(random, random(2, 20), 0, 400);
    ReferenceLimits wanted = {.sensors = sensors, .radius = 40};
    for (std::uint64_t i = random(1, 4); i > 0; --i) {
      const auto x = static_cast<double>(random(0, 400));
      const auto y = static_cast<double>(random(0, 400));
      const auto width = static_cast<double>(random(5, 200));
      // At most 70 high, so that a relay above or below receives the middle.
      const auto height = static_cast<double>(random(5, 70));
      wanted.polygons.push_back({{rectangle(x, y, x + width, y + height)}});
    }
    try {
      place(wanted);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("no relays outside"), std::string::npos);
    }
  }
}

// The least radius keeps the number of relays small.
std::int32_t widest(std::span<const Point> points) {
  const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(std::int64_t{right.x} - left.x, std::int64_t{1'000'000'000}));
}

TEST_F(LimitedPlacementTest, WithEqualRangesTheTreeIsTheMinimumSpanningTree) {
  SeededRandom random;
  for (Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    if (sensors.points.empty()) continue;
    sensors.radius = std::max(sensors.radius, widest(sensors.points) / 1000);
    const Placement plain = place_relays(*queue_, sensors.points, sensors.radius);
    const std::vector<double> ranges(sensors.points.size(), sensors.radius);
    const PlacementLimits limits = {.ranges = ranges};
    const Placement placement = place_relays(*queue_, sensors.points, sensors.radius, limits);
    EXPECT_EQ(placement.tree_relays, plain.tree_relays);
    EXPECT_EQ(placement.components, plain.components);
    EXPECT_TRUE(placement.is_connected);
  }
}

TEST_F(LimitedPlacementTest, ManySensorsSaveAsManyRelays) {
  const std::vector<Point> sensors = random_points(1600);
  const Placement plain = place_relays(*queue_, sensors, 50);
  const std::vector<double> ranges(sensors.size(), 50);
  const Placement placement = place_relays(*queue_, sensors, 50, {.ranges = ranges});
  EXPECT_LE(static_cast<double>(placement.relays.size()),
            1.1 * static_cast<double>(plain.relays.size()));
  const std::vector<Point> fixed = random_points(400, 1999);
  const Placement helped = place_relays(*queue_, sensors, 50, {.ranges = ranges, .fixed = fixed});
  EXPECT_LT(helped.relays.size(), placement.relays.size());
}

TEST_F(LimitedPlacementTest, NoSensorsTakeNoRelays) {
  const Point fixed[] = {{1, 2}};
  const Placement placement = place_relays(*queue_, {}, 5, {.fixed = fixed});
  EXPECT_EQ(placement.components, 0U);
  EXPECT_TRUE(placement.relays.empty());
  EXPECT_TRUE(placement.is_connected);
}

TEST_F(LimitedPlacementTest, WrongConditionsAreRejected) {
  const Point sensors[] = {{0, 0}, {1, 1}};
  const auto message = [&](const PlacementLimits& limits) -> std::string {
    try {
      place_relays(*queue_, sensors, 5, limits);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  };
  const double one[] = {1};
  EXPECT_NE(message({.ranges = one}).find("1 ranges for 2 sensors"), std::string::npos);
  const double zero[] = {1, 0};
  EXPECT_NE(message({.ranges = zero}).find("must be more than 0"), std::string::npos);
  const Link links[] = {{0, 2}};
  EXPECT_NE(message({.links = links, .has_listed_links = true}).find("0 and 2"), std::string::npos);
}

TEST_F(LimitedPlacementTest, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  const std::vector<Point> sensors = random_points(200);
  const Point fixed[] = {{1, 2}};
  EXPECT_THROW(place_relays(*queue_, sensors, 50, {.fixed = fixed}, source.get_token()), Error);
}

}  // namespace
}  // namespace millrace::three_star

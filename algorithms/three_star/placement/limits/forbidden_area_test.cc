// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace millrace::three_star {
namespace {

// The angle that the ring turns around a position: a multiple of a whole turn.
double turns(const Ring& ring, const Position& position) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Position& from = ring[i];
    const Position& to = ring[(i + 1) % ring.size()];
    const double ax = from.x - position.x;
    const double ay = from.y - position.y;
    const double bx = to.x - position.x;
    const double by = to.y - position.y;
    sum += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return std::round(sum / (2 * std::acos(-1.0)));
}

const Ring kSquare = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};

TEST(ForbiddenAreaTest, NothingForbidsNothing) {
  EXPECT_TRUE(ForbiddenArea().empty());
  EXPECT_FALSE(ForbiddenArea().contains({0, 0}));
  EXPECT_TRUE(ForbiddenArea({}, 1).empty());
}

TEST(ForbiddenAreaTest, TheInsideAndAClearanceBelongToIt) {
  const AreaPolygon polygons[] = {{{kSquare}}};
  const ForbiddenArea area(polygons, 0.5);
  EXPECT_TRUE(area.contains({5, 5}));
  EXPECT_TRUE(area.contains({10.4, 5}));
  EXPECT_TRUE(area.contains({10.3, 10.3}));
  EXPECT_FALSE(area.contains({10.6, 5}));
  EXPECT_FALSE(area.contains({10.4, 10.4}));
  EXPECT_FALSE(area.contains({5, -0.6}));
}

TEST(ForbiddenAreaTest, ARingInsideIsAHole) {
  const AreaPolygon polygons[] = {{{kSquare, {{4, 4}, {4, 6}, {6, 6}, {6, 4}}}}};
  const ForbiddenArea area(polygons, 0.001);
  EXPECT_FALSE(area.contains({5, 5}));
  EXPECT_TRUE(area.contains({3, 5}));
}

TEST(ForbiddenAreaTest, PolygonsThatOverlapAreOneArea) {
  const AreaPolygon polygons[] = {{{kSquare}}, {{{{5, 5}, {15, 5}, {15, 15}, {5, 15}}}}};
  const ForbiddenArea area(polygons, 0.001);
  EXPECT_TRUE(area.contains({7, 7}));
  EXPECT_TRUE(area.contains({12, 12}));
  EXPECT_FALSE(area.contains({12, 3}));
}

TEST(ForbiddenAreaTest, IsInsideWhereTheRingTurnsAroundAnOddNumberOfTimes) {
  SeededRandom random;
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<AreaPolygon> polygons(random(1, 3));
    for (AreaPolygon& polygon : polygons) {
      Ring ring(random(3, 40));
      for (Position& corner : ring) {
        corner = {static_cast<double>(random(0, 1000)), static_cast<double>(random(0, 1000))};
      }
      polygon.rings.push_back(ring);
    }
    const ForbiddenArea area(polygons, 1e-9);
    for (int i = 0; i < 300; ++i) {
      // Between the corners' rows and columns.
      const Position position = {static_cast<double>(random(0, 1000)) + 0.37,
                                 static_cast<double>(random(0, 1000)) + 0.61};
      bool is_inside = false;
      for (const AreaPolygon& polygon : polygons) {
        is_inside = is_inside || std::fmod(std::abs(turns(polygon.rings[0], position)), 2) == 1;
      }
      EXPECT_EQ(area.contains(position), is_inside) << position.x << ' ' << position.y;
    }
  }
}

}  // namespace
}  // namespace millrace::three_star

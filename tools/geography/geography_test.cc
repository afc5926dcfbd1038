// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/point_copies.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/geography/longitudes.h>
#include <millrace/tools/geography/region_plane.h>
#include <millrace/tools/geography/sphere.h>
#include <millrace/tools/geography/sphere_regions.h>
#include <millrace/tools/geography/stereographic.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::ThreeStar;
using Stars = std::multiset<ThreeStar>;

constexpr double kError = 0.0005;
constexpr int kStepsPerRadius = 10'000;

double metres(double angle) { return angle * kEarthRadius; }

// Locations in a box of latitudes and longitudes, in degrees.
struct Box {
  double south;
  double north;
  double west;
  double east;
};

struct Scatter {
  const char* name;
  double radius;  // Metres.
  std::vector<Box> boxes;
  int per_box;
};

const Scatter kScatters[] = {
    {"the equator", 1000, {{-0.03, 0.03, 10, 10.06}}, 80},
    {"60 degrees north", 1000, {{60, 60.06, 10, 10.12}}, 80},
    {"across 180 degrees", 1000, {{-17, -16.94, 179.97, 180.03}}, 80},
    {"across 180 degrees, from -180 to 180",
     1000,
     {{-17, -16.94, 179.97, 180}, {-17, -16.94, -180, -179.97}},
     40},
    {"the north pole", 1000, {{89.97, 90, -180, 180}}, 80},
    {"the south pole", 1000, {{-90, -89.97, 0, 360}}, 80},
    {"distant regions",
     1000,
     {{0, 0.04, 0, 0.04},
      {70, 70.04, 25, 25.1},
      {-45, -44.96, 179.98, 180.02},
      {89.98, 90, 0, 360}},
     30},
    {"a continent in one piece", 60'000, {{45, 55, -5, 40}}, 260},
    {"a piece across 180 degrees and the pole", 80'000, {{82, 90, 100, 300}}, 260},
    {"a piece across the equator", 70'000, {{-8, 8, 170, 190}}, 260},
};

std::vector<Direction> locations_in(const Scatter& scatter, SeededRandom& random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  std::vector<Direction> positions;
  for (const Box& box : scatter.boxes) {
    for (int i = 0; i < scatter.per_box; ++i) {
      positions.push_back(
          direction_of({between(box.south, box.north), between(box.west, box.east)}));
    }
  }
  return positions;
}

// The angle between three locations and the middle of their circle on the sphere.
double circumradius(const Direction& a, const Direction& b, const Direction& c) {
  const Direction u = {b.x - a.x, b.y - a.y, b.z - a.z};
  const Direction v = {c.x - a.x, c.y - a.y, c.z - a.z};
  const double chords =
      std::sqrt(dot(u, u)) * std::sqrt(dot(v, v)) * std::hypot(b.x - c.x, b.y - c.y, b.z - c.z);
  const Direction normal = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return std::asin(std::min(chords / (2 * std::sqrt(dot(normal, normal))), 1.0));
}

// 3-stars by distances on the sphere, for a radius whose sides and circles differ.
Stars stars_on_sphere(const std::vector<Direction>& positions, double side, double circle) {
  Stars stars;
  const auto is_side = [&](std::size_t a, std::size_t b) {
    const double length = metres(angle_between(positions[a], positions[b]));
    return length > side && length <= 2 * circle;
  };
  for (std::uint32_t a = 0; a < positions.size(); ++a) {
    for (std::uint32_t b = a + 1; b < positions.size(); ++b) {
      if (!is_side(a, b)) continue;
      for (std::uint32_t c = b + 1; c < positions.size(); ++c) {
        if (!is_side(a, c) || !is_side(b, c)) continue;
        if (metres(circumradius(positions[a], positions[b], positions[c])) <= circle) {
          stars.insert({a, b, c});
        }
      }
    }
  }
  return stars;
}

// 3-stars of the plane, each pair of points tried.
Stars stars_in_plane(const RegionPlane& plane, std::size_t originals) {
  const three_star::PointCopies copies(originals, plane.origins);
  const auto& points = plane.points;
  const auto is_side = [&](std::size_t a, std::size_t b) {
    return three_star::is_side(offset(points[a], points[b]), kStepsPerRadius);
  };
  std::vector<ThreeStar> all;
  for (std::uint32_t a = 0; a < points.size(); ++a) {
    for (std::uint32_t b = a + 1; b < points.size(); ++b) {
      if (!is_side(a, b)) continue;
      for (std::uint32_t c = b + 1; c < points.size(); ++c) {
        if (three_star::is_three_star(points[a], points[b], points[c], kStepsPerRadius)) {
          all.push_back({a, b, c});
        }
      }
    }
  }
  std::vector<ThreeStar> kept;
  copies.keep_meant(all, kept);
  return {kept.begin(), kept.end()};
}

TEST(RegionPlaneTest, HasThe3StarsOfTheSphereEachOnce) {
  SeededRandom random;
  for (const Scatter& scatter : kScatters) {
    SCOPED_TRACE(scatter.name);
    const std::vector<Direction> positions = locations_in(scatter, random);
    const double reach = scatter.radius / kEarthRadius;
    const auto regions = split_sphere(positions, 2.002 * reach, widest_angle(kError) - reach);
    ASSERT_TRUE(regions);
    const auto plane = lay_out(positions, *regions, reach, scatter.radius / kStepsPerRadius,
                               2 * kStepsPerRadius + 2);
    ASSERT_TRUE(plane);
    EXPECT_GE(plane->scale.least, 1 - 2 * kError);
    EXPECT_LE(plane->scale.most, 1 + 2 * kError);
    const Stars found = stars_in_plane(*plane, positions.size());
    // Points are rounded as well, which moves circles by less than 0.05 %.
    constexpr double kMargin = kError + 0.0005;
    const double less = scatter.radius * (1 - kMargin);
    const double more = scatter.radius * (1 + kMargin);
    EXPECT_TRUE(std::ranges::includes(found, stars_on_sphere(positions, more, less)));
    EXPECT_TRUE(std::ranges::includes(stars_on_sphere(positions, less, more), found));
    EXPECT_GT(found.size(), 10U);
  }
}

TEST(SphereRegionsTest, EveryPointIsInOneCoreAndSeesItsNeighbours) {
  SeededRandom random;
  for (const Scatter& scatter : kScatters) {
    SCOPED_TRACE(scatter.name);
    const std::vector<Direction> positions = locations_in(scatter, random);
    const double reach = 2 * scatter.radius / kEarthRadius;
    const double widest = widest_angle(kError) - reach / 2;
    const auto split = split_sphere(positions, reach, widest);
    ASSERT_TRUE(split);
    std::vector<int> cores(positions.size());
    for (const SphereRegion& region : split->regions) {
      EXPECT_LE(region.radius, widest);
      const std::set<std::uint32_t> members(split->members.begin() + region.first,
                                            split->members.begin() + region.end);
      EXPECT_EQ(members.size(), region.end - region.first);
      for (std::size_t i = region.first; i < region.core_end; ++i) {
        const std::uint32_t core = split->members[i];
        ++cores[core];
        for (std::uint32_t other = 0; other < positions.size(); ++other) {
          if (angle_between(positions[core], positions[other]) <= reach) {
            EXPECT_TRUE(members.contains(other));
          }
        }
      }
    }
    EXPECT_EQ(std::ranges::count(cores, 1), static_cast<std::ptrdiff_t>(positions.size()));
  }
}

TEST(SphereRegionsTest, OnePieceIsOneRegionWhereItFits) {
  SeededRandom random;
  const std::vector<Direction> positions = locations_in(kScatters[2], random);
  const auto split = split_sphere(positions, 0.01, 0.06);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->regions.size(), 1U);
  EXPECT_EQ(split->members.size(), positions.size());
}

TEST(SphereRegionsTest, AReachThatNoRegionCarriesHasNone) {
  SeededRandom random;
  const std::vector<Direction> positions = locations_in(kScatters[7], random);
  EXPECT_FALSE(split_sphere(positions, 0.05, 0.06));
}

TEST(StereographicTest, IsUndoneEverywhere) {
  for (const LatLng& centre : {LatLng{48, 11}, {0, 180}, {90, 0}, {-90, 77}, {-17, -179.99}}) {
    const Stereographic projection(centre, 0.9995);
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {300'000.0, -200'000.0}, {-1.0, 5.0}}) {
      const three_star::Position there = projection.to_plane(projection.to_sphere({x, y}));
      EXPECT_NEAR(there.x, x, 1e-6);
      EXPECT_NEAR(there.y, y, 1e-6);
    }
  }
}

TEST(StereographicTest, NorthIsUpAndEastIsRight) {
  const Stereographic projection({60, 10}, 1);
  const auto north = projection.to_plane(direction_of({60.001, 10}));
  EXPECT_NEAR(north.x, 0, 1e-6);
  EXPECT_NEAR(north.y, metres(0.001 * kRadian), 1e-3);
  const auto east = projection.to_plane(direction_of({60, 10.001}));
  EXPECT_NEAR(east.x, metres(0.001 * kRadian) / 2, 1e-3);
}

// Along the radius and across it, as far out as the error allows.
TEST(StereographicTest, ScalesStayWithinTheirError) {
  const double angle = widest_angle(kError);
  EXPECT_NEAR(balanced_scale(angle, 0).most, 1 + kError, 1e-9);
  const Stereographic projection = Stereographic::balanced({40, -100}, angle);
  for (const double latitude : {40.0, 42.0, 40 + angle / kRadian - 0.01}) {
    for (const auto& [north, east] : {std::pair{0.01, 0.0}, {0.0, 0.01}}) {
      const Direction a = direction_of({latitude, -100});
      const Direction b = direction_of({latitude + north, -100 + east});
      const auto p = projection.to_plane(a);
      const auto q = projection.to_plane(b);
      const double ratio = std::hypot(p.x - q.x, p.y - q.y) / metres(angle_between(a, b));
      EXPECT_NEAR(ratio, 1, 1.01 * kError);
    }
  }
}

TEST(LongitudesTest, AreCutWhereNoPointIs) {
  std::vector<double> longitudes = {179, -179, 170, 540 - 360};
  EXPECT_EQ(cut_at_widest_gap(longitudes), 349);
  EXPECT_EQ(longitudes, (std::vector<double>{179, 181, 170, 180}));
  longitudes = {-120.25, 151};
  cut_at_widest_gap(longitudes);
  EXPECT_EQ(longitudes, (std::vector<double>{239.75, 151}));
  longitudes = {-10.5, 20};
  cut_at_widest_gap(longitudes);
  EXPECT_EQ(longitudes, (std::vector<double>{-10.5, 20}));
  longitudes = {359, 1};
  EXPECT_EQ(cut_at_widest_gap(longitudes), 358);
  EXPECT_EQ(longitudes, (std::vector<double>{-1, 1}));
}

}  // namespace
}  // namespace millrace::tools

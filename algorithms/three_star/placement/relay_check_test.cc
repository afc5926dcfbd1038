// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/relay_check.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gtest/gtest.h>

#include <cstddef>

namespace millrace::three_star {
namespace {

// Returns the number of components by testing all pairs repeatedly.
std::uint64_t components_by_pairs(std::span<const Position> nodes, std::int32_t radius) {
  std::vector<std::size_t> lowest(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) lowest[i] = i;
  const double reach = static_cast<double>(radius) * radius;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        if (lowest[j] >= lowest[i] || squared_distance(nodes[i], nodes[j]) > reach) continue;
        lowest[i] = lowest[j];
        is_changed = true;
      }
    }
  }
  std::uint64_t components = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) components += lowest[i] == i ? 1 : 0;
  return components;
}

TEST(CountComponentsTest, SensorsReachEachOtherAtTheRadiusAndNoFurther) {
  const Position sensors[] = {{0, 0}, {3, 4}, {-3, -5}};
  EXPECT_EQ(count_components(sensors, {}, 5), 2U);
}

TEST(CountComponentsTest, TheLargestRadiusIsExact) {
  const double radius = kMostRadius;
  const Position near[] = {{0, 0}, {radius, 0}};
  const Position far[] = {{0, 0}, {radius, 1}};
  EXPECT_EQ(count_components(near, {}, kMostRadius), 1U);
  EXPECT_EQ(count_components(far, {}, kMostRadius), 2U);
}

TEST(CountComponentsTest, ARelayMayBeRounded) {
  const Position sensors[] = {{0, 0}, {10, 0}};
  const Position relay[] = {{5.000000001, 0}};
  const Position far_relay[] = {{5.00001, 0}};
  EXPECT_EQ(count_components(sensors, relay, 5), 1U);
  EXPECT_EQ(count_components(sensors, far_relay, 5), 2U);
  // A billionth of the largest radius is more than the rounding error of coordinates.
  const Position wide[] = {{0, 0}, {2.0 * kMostRadius, 0}};
  const Position off_by_little[] = {{kMostRadius + 1e-4, 0}};
  const Position off_by_more[] = {{kMostRadius + 1e-2, 0}};
  EXPECT_EQ(count_components(wide, off_by_little, kMostRadius), 1U);
  EXPECT_EQ(count_components(wide, off_by_more, kMostRadius), 2U);
}

TEST(CountComponentsTest, OfNoneThereAreNone) { EXPECT_EQ(count_components({}, {}, 1), 0U); }

TEST(CountComponentsTest, AreThoseOfAllPairs) {
  SeededRandom random;
  for (const Sensors& sensors : all_kinds(random)) {
    const auto nodes = positions_of(sensors.points);
    EXPECT_EQ(count_components(nodes, {}, sensors.radius),
              components_by_pairs(nodes, sensors.radius))
        << sensors.name;
  }
}

}  // namespace
}  // namespace millrace::three_star

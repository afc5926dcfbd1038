// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/relay_squares.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int32_t kRadius = 50;

// Clusters at distances of more than a radius, with several sensors each, and the cluster of each
// sensor.
struct Clusters {
  std::vector<Position> sensors;
  std::vector<std::uint32_t> components;
};

Clusters some_clusters(SeededRandom& random) {
  Clusters clusters;
  for (std::uint32_t i = 0; i < 25; ++i) {
    const double x = i % 5 * 80.0 - 200;
    const double y = static_cast<double>(i / 5) * 80.0 - 200;
    for (auto count = random(0, 7); count > 0; --count) {
      clusters.sensors.push_back(
          {x + static_cast<double>(random(0, 25)), y + static_cast<double>(random(0, 25))});
      clusters.components.push_back(i);
    }
  }
  return clusters;
}

bool are_near(const Position& a, const Position& b) {
  return squared_distance(a, b) <= 4.0 * kRadius * kRadius;
}

TEST(RelaySquaresTest, AreNearWhereTheirSensorsMayBeWithinTwoRadii) {
  SeededRandom random;
  const Clusters clusters = some_clusters(random);
  const RelaySquares squares(clusters.sensors, clusters.components, kRadius);
  for (const auto& square : squares.squares()) {
    std::vector<std::uint32_t> near;
    squares.for_each_near(square, [&](const auto& other) {
      const auto some = squares.members(other);
      near.insert(near.end(), some.begin(), some.end());
    });
    for (const std::uint32_t a : squares.members(square)) {
      for (std::uint32_t b = 0; b < clusters.sensors.size(); ++b) {
        if (!are_near(clusters.sensors[a], clusters.sensors[b])) continue;
        EXPECT_EQ(std::count(near.begin(), near.end(), b), 1);
      }
    }
  }
}

TEST(RelaySquaresTest, AreBetweenThreeComponents) {
  const std::vector<Position> sensors = {{0, 0}, {80, 0}, {40, 70}, {260, 0}, {400, 0}};
  const std::vector<std::uint32_t> components = {0, 1, 2, 3, 4};
  EXPECT_THAT(RelaySquares(sensors, components, kRadius).between_three_components(),
              ElementsAre(0, 1, 2));
  const std::vector<std::uint32_t> of_two = {0, 1, 1, 3, 4};
  EXPECT_THAT(RelaySquares(sensors, of_two, kRadius).between_three_components(), IsEmpty());
}

TEST(RelaySquaresTest, TriplesAreNoMoreThanTheySay) {
  SeededRandom random;
  for (int round = 0; round < 10; ++round) {
    const Clusters clusters = some_clusters(random);
    const auto& [sensors, of] = clusters;
    double all = 0;
    double of_three = 0;
    for (std::size_t a = 0; a < sensors.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (!are_near(sensors[a], sensors[b])) continue;
        for (std::size_t c = 0; c < b; ++c) {
          if (!are_near(sensors[a], sensors[c]) || !are_near(sensors[b], sensors[c])) continue;
          ++all;
          if (of[a] != of[b] && of[a] != of[c] && of[b] != of[c]) ++of_three;
        }
      }
    }
    const auto most = RelaySquares(sensors, of, kRadius).most_triples();
    EXPECT_GE(most.all, all);
    EXPECT_GE(most.of_three, of_three);
  }
}

TEST(RelaySquaresTest, TriplesOfThreeSquaresAreCounted) {
  Clusters clusters;
  for (std::uint32_t i = 0; i < 30; ++i) {
    clusters.sensors.push_back({60.0 * (i % 3), i % 3 == 1 ? 52.0 : 0.0});
    clusters.components.push_back(i % 3);
  }
  const auto most = RelaySquares(clusters.sensors, clusters.components, kRadius).most_triples();
  EXPECT_EQ(most.of_three, 10 * 10 * 10);
}

}  // namespace
}  // namespace millrace::three_star

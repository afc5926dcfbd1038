// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/spanning_tree.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace::three_star {
namespace {

double length_of(std::span<const TreeEdge> tree) {
  double sum = 0;
  for (const TreeEdge& edge : tree) sum += edge.length;
  return sum;
}

// Returns the length of the tree by Prim's algorithm on the complete graph.
double shortest(std::span<const Position> nodes) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> distances(nodes.size(), kFar);
  std::vector<bool> is_in(nodes.size());
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t step = 1; step < nodes.size(); ++step) {
    is_in[last] = true;
    std::size_t next = last;
    double least = kFar;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (is_in[i]) continue;
      distances[i] = std::min(distances[i], std::sqrt(squared_distance(nodes[last], nodes[i])));
      if (distances[i] >= least) continue;
      least = distances[i];
      next = i;
    }
    sum += least;
    last = next;
  }
  return sum;
}

TEST(SpanningTreeTest, OfNoneAndOfOneHasNoEdge) {
  EXPECT_TRUE(spanning_tree({}).empty());
  const Position one = {3, 4};
  EXPECT_TRUE(spanning_tree({&one, 1}).empty());
}

TEST(SpanningTreeTest, OfTwoIsTheirEdge) {
  const Position two[] = {{0, 0}, {3, 4}};
  const auto tree = spanning_tree(two);
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].length, 5);
}

TEST(SpanningTreeTest, ReachesAcrossAllCoordinates) {
  constexpr double kLow = INT32_MIN;
  constexpr double kHigh = INT32_MAX;
  const Position corners[] = {{kLow, kLow}, {kHigh, kLow}, {kLow, kHigh}, {kHigh, kHigh}};
  EXPECT_DOUBLE_EQ(length_of(spanning_tree(corners)), 3 * (kHigh - kLow));
}

TEST(SpanningTreeTest, IsAsShortAsThatOfTheCompleteGraph) {
  SeededRandom random;
  for (const Sensors& sensors : all_kinds(random)) {
    const auto nodes = positions_of(sensors.points);
    const auto tree = spanning_tree(nodes);
    EXPECT_EQ(tree.size() + 1, std::max<std::size_t>(nodes.size(), 1)) << sensors.name;
    EXPECT_NEAR(length_of(tree), shortest(nodes), 1e-9 * shortest(nodes)) << sensors.name;
  }
}

TEST(SpanningTreeTest, TakesNodesBetweenWholeNumbers) {
  SeededRandom random;
  std::vector<Position> nodes;
  for (const Point& point : scattered(random, 200, -1000, 2000)) {
    nodes.push_back({point.x / 7.0, point.y / 7.0});
  }
  EXPECT_NEAR(length_of(spanning_tree(nodes)), shortest(nodes), 1e-9 * shortest(nodes));
}

TEST(SpanningTreeTest, TakesEdgesThatRoundingWouldMiss) {
  // In units of one for 32 bits, the last two nodes are at one position, next to the second.
  const Position nodes[] = {{INT32_MIN, 0}, {INT32_MAX, 0}, {0.125, 0}, {0.25, 0}, {-0.25, 0}};
  const TreeEdge also[] = {{2, 4}};
  const auto tree = spanning_tree(nodes, also);
  EXPECT_NEAR(length_of(tree), shortest(nodes), 1);
  EXPECT_EQ(tree.size(), 4U);
}

}  // namespace
}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/steiner_tree.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace millrace::three_star {
namespace {

class Groups {
 public:
  explicit Groups(std::size_t nodes) : group_(nodes) {
    std::iota(group_.begin(), group_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t node) const {
    while (group_[node] != node) node = group_[node];
    return node;
  }
  bool join(std::uint32_t a, std::uint32_t b) {
    const bool are_separate = find(a) != find(b);
    group_[find(a)] = find(b);
    return are_separate;
  }

 private:
  std::vector<std::uint32_t> group_;
};

// Relays of the minimum spanning tree of the terminals and the other nodes of `kept`; empty if
// edges do not join them.
std::optional<std::uint64_t> tree_relays(std::size_t nodes, std::size_t terminals,
                                         std::vector<RouteEdge> edges, std::uint32_t kept) {
  const auto is_in = [&](std::uint32_t node) {
    return node < terminals || (kept >> (node - terminals) & 1) != 0;
  };
  std::ranges::sort(edges, {}, &RouteEdge::cost);
  Groups groups(nodes);
  std::uint64_t relays = 0;
  std::size_t joined = 1;
  for (const RouteEdge& edge : edges) {
    if (!is_in(edge.a) || !is_in(edge.b) || !groups.join(edge.a, edge.b)) continue;
    relays += edge.cost.relays;
    ++joined;
  }
  std::size_t wanted = 0;
  for (std::uint32_t i = 0; i < nodes; ++i) wanted += is_in(i) ? 1 : 0;
  return joined == wanted ? std::optional(relays) : std::nullopt;
}

TEST(SteinerTreeTest, AWayThatCostsMoreIsNotTaken) {
  const RouteEdge edges[] = {{0, 1, {5, 1}}, {0, 2, {4, 1}}, {1, 2, {4, 1}}};
  EXPECT_EQ(steiner_tree(3, 2, edges), (std::vector<std::size_t>{0}));
}

TEST(SteinerTreeTest, AWayThatCostsLessIs) {
  const RouteEdge edges[] = {{0, 1, {5, 1}}, {0, 2, {2, 1}}, {1, 2, {2, 1}}, {2, 3, {0, 1}}};
  auto tree = steiner_tree(4, 2, edges);
  std::ranges::sort(tree);
  EXPECT_EQ(tree, (std::vector<std::size_t>{1, 2}));
}

TEST(SteinerTreeTest, OneTerminalTakesNoEdge) {
  const RouteEdge edges[] = {{0, 1, {0, 1}}};
  EXPECT_TRUE(steiner_tree(2, 1, edges).empty());
  EXPECT_TRUE(steiner_tree(0, 0, {}).empty());
}

TEST(SteinerTreeTest, IsATreeOfLessThanTwiceTheLeastCost) {
  SeededRandom random;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t terminals = random(2, 6);
    const std::size_t others = random(0, 5);
    const std::size_t nodes = terminals + others;
    std::vector<RouteEdge> edges;
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = a + 1; b < nodes; ++b) {
        if (random(0, 3) == 0) continue;
        edges.push_back({a, b, {random(0, 9), static_cast<double>(random(1, 50))}});
      }
    }
    std::optional<std::uint64_t> least;
    for (std::uint32_t kept = 0; kept < 1U << others; ++kept) {
      const auto relays = tree_relays(nodes, terminals, edges, kept);
      if (relays && (!least || *relays < *least)) least = relays;
    }
    const auto tree = steiner_tree(nodes, terminals, edges);
    Groups groups(nodes);
    std::uint64_t relays = 0;
    std::vector<int> degree(nodes);
    for (const std::size_t i : tree) {
      EXPECT_TRUE(groups.join(edges[i].a, edges[i].b)) << "a cycle";
      relays += edges[i].cost.relays;
      ++degree[edges[i].a];
      ++degree[edges[i].b];
    }
    for (std::size_t i = terminals; i < nodes; ++i) EXPECT_NE(degree[i], 1) << "a loose end";
    if (!least) continue;
    for (std::uint32_t i = 1; i < terminals; ++i) EXPECT_EQ(groups.find(i), groups.find(0));
    EXPECT_GE(relays, *least);
    EXPECT_LE(relays, 2 * *least);
    if (const auto alone = tree_relays(nodes, terminals, edges, 0)) {
      EXPECT_LE(relays, *alone);
    }
  }
}

}  // namespace
}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/shortest_paths/delta_stepping.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <vector>

namespace millrace::examples {
namespace {

// A triangle 0 - 1 - 2 whose long side has a detour, and a node that no edge reaches.
WeightedGraph small_graph() {
  return {.begin = {0, 2, 4, 6, 6}, .edges = {{1, 3}, {2, 10}, {0, 3}, {2, 4}, {0, 10}, {1, 4}}};
}

std::vector<std::uint32_t> by_dijkstra(const WeightedGraph& graph, std::uint32_t source) {
  double seconds = 0;
  return dijkstra(graph, source, seconds);
}

TEST(WeightedGraph, AGridHasStreetsInBothDirections) {
  const WeightedGraph graph = grid_graph(40, 30, 1);
  EXPECT_EQ(graph.nodes(), 1200u);
  EXPECT_GT(graph.edges.size(), 3 * 1200u);
  EXPECT_LT(graph.edges.size(), 4 * 1200u);  // Some are missing.
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (std::uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      const auto [target, length] = graph.edges[i];
      EXPECT_TRUE(target == node + 1 || target + 1 == node || target == node + 40 ||
                  target + 40 == node);
      EXPECT_GE(length, 16u);
      EXPECT_LE(length, kMaxEdgeLength);
      EXPECT_TRUE(std::any_of(graph.edges.begin() + graph.begin[target],
                              graph.edges.begin() + graph.begin[target + 1],
                              [&, wanted = length](const WeightedEdge& back) {
                                return back.target == node && back.length == wanted;
                              }));
    }
  }
}

TEST(WeightedGraph, AnRmatGraphHasSomeNodesWithManyEdges) {
  const WeightedGraph graph = rmat_graph(12, 16, 1);
  EXPECT_EQ(graph.nodes(), 4096u);
  EXPECT_LE(graph.edges.size(), 2 * 16 * 4096u);
  EXPECT_GT(graph.edges.size(), 2 * 15 * 4096u);
  std::vector<std::uint32_t> degrees;
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    degrees.push_back(graph.begin[i + 1] - graph.begin[i]);
  }
  const std::uint32_t most = degrees[graph.hub()];
  std::ranges::sort(degrees);
  EXPECT_EQ(most, degrees.back());
  EXPECT_GT(most, 20 * 32u);
  EXPECT_LT(degrees[2048], 16u);  // Half of the nodes have less than half of the mean.
}

TEST(WeightedGraph, GeneratorsRejectSizesOutOfRange) {
  EXPECT_THROW(grid_graph(0, 5, 1), Error);
  EXPECT_THROW(grid_graph(1 << 13, 1 << 12, 1), Error);
  EXPECT_THROW(rmat_graph(0, 16, 1), Error);
  EXPECT_THROW(rmat_graph(25, 16, 1), Error);
  EXPECT_THROW(rmat_graph(10, 0, 1), Error);
  EXPECT_THROW(rmat_graph(10, 65, 1), Error);
}

TEST(AreShortest, DistinguishesRightLengthsFromWrongOnes) {
  const WeightedGraph graph = small_graph();
  const std::vector<std::uint32_t> right = {0, 3, 7, kUnreachable};
  EXPECT_EQ(by_dijkstra(graph, 0), right);
  EXPECT_TRUE(are_shortest(graph, 0, right));
  for (const std::vector<std::uint32_t>& wrong :
       {std::vector<std::uint32_t>{0, 3, 10, kUnreachable},
        {0, 3, 6, kUnreachable},
        {0, 3, 7, 8},
        {0, 3, kUnreachable, kUnreachable},
        {1, 3, 7, kUnreachable},
        {0, 3, 7}}) {
    EXPECT_FALSE(are_shortest(graph, 0, wrong));
  }
}

class DeltaSteppingTest : public conformance::PolicyTest {
 protected:
  void expect_dijkstra(const WeightedGraph& graph, std::uint32_t source, std::uint32_t delta) {
    const PathResult result = shortest_paths(
        *queue, graph, {.source = source, .delta = delta, .run = {.policy = policy}});
    EXPECT_EQ(result.distances, by_dijkstra(graph, source));
    EXPECT_TRUE(are_shortest(graph, source, result.distances));
  }
};

TEST_P(DeltaSteppingTest, GivesDijkstrasDistancesInASmallGraph) {
  for (const std::uint32_t delta : {1u, 3u, 5u, kUnreachable}) {
    for (std::uint32_t source = 0; source < 4; ++source) {
      expect_dijkstra(small_graph(), source, delta);
    }
  }
  expect_dijkstra({.begin = {0, 0}, .edges = {}}, 0, 1);
}

TEST_P(DeltaSteppingTest, GivesDijkstrasDistancesInAGrid) {
  const auto side = static_cast<std::uint32_t>(scaled(150, 12));
  const WeightedGraph graph = grid_graph(side, side + 3, 7);
  expect_dijkstra(graph, graph.hub(), 100);
  expect_dijkstra(graph, 0, 1000);
}

TEST_P(DeltaSteppingTest, GivesDijkstrasDistancesInAnRmatGraph) {
  const WeightedGraph graph = rmat_graph(static_cast<int>(scaled(13, 6)), 16, 3);
  expect_dijkstra(graph, graph.hub(), 20);
  expect_dijkstra(graph, 1, 300);
}

TEST_P(DeltaSteppingTest, NothingIsLostWithLittleTaskMemory) {
  queue = device->make_queue({.task_memory_bytes = 4096});
  const WeightedGraph graph = rmat_graph(static_cast<int>(scaled(12, 6)), 16, 4);
  expect_dijkstra(graph, graph.hub(), 30);
}

TEST_P(DeltaSteppingTest, RejectsOptionsOutOfRange) {
  EXPECT_THROW(shortest_paths(*queue, small_graph(), {.source = 4}), Error);
  EXPECT_THROW(shortest_paths(*queue, small_graph(), {.delta = 0}), Error);
  EXPECT_THROW(shortest_paths(*queue, WeightedGraph(), {}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, DeltaSteppingTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples

// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/shortest_paths/weighted_graph.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace millrace::examples {
namespace {

struct Street {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t length;
};

WeightedGraph graph_of(std::uint32_t nodes, const std::vector<Street>& streets) {
  WeightedGraph graph;
  graph.begin.assign(std::size_t{nodes} + 1, 0);
  for (const Street& street : streets) {
    ++graph.begin[street.from + 1];
    ++graph.begin[street.to + 1];
  }
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  std::vector<std::uint32_t> end(graph.begin.begin(), graph.begin.end() - 1);
  graph.edges.resize(2 * streets.size());
  for (const Street& street : streets) {
    graph.edges[end[street.from]++] = {street.to, street.length};
    graph.edges[end[street.to]++] = {street.from, street.length};
  }
  return graph;
}

// Chooses a quadrant of the adjacency matrix for each bit of an edge's two nodes.
std::pair<std::uint32_t, std::uint32_t> rmat_edge(int scale, std::mt19937_64& random) {
  constexpr double kA = 0.57;
  constexpr double kB = 0.19;
  constexpr double kC = 0.19;
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  for (int bit = 0; bit < scale; ++bit) {
    const double draw = static_cast<double>(random() >> 11) * 0x1p-53;
    const bool is_low = draw >= kA + kB;
    const bool is_right = is_low ? draw >= kA + kB + kC : draw >= kA;
    row = 2 * row + (is_low ? 1 : 0);
    column = 2 * column + (is_right ? 1 : 0);
  }
  return {row, column};
}

std::vector<std::uint32_t> random_order(std::uint32_t nodes, std::mt19937_64& random) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace

std::uint32_t WeightedGraph::hub() const {
  std::uint32_t best = 0;
  for (std::uint32_t node = 1; node < nodes(); ++node) {
    if (begin[node + 1] - begin[node] > begin[best + 1] - begin[best]) best = node;
  }
  return best;
}

WeightedGraph grid_graph(std::uint32_t width, std::uint32_t height, std::uint64_t seed) {
  const std::uint64_t nodes = std::uint64_t{width} * height;
  if (nodes == 0 || nodes > kMaxGraphNodes) {
    reject("the grid is " + std::to_string(width) + " x " + std::to_string(height) +
           "; it must have 1 to " + std::to_string(kMaxGraphNodes) + " crossings");
  }
  constexpr std::uint32_t kMainRoads = 16;
  std::mt19937_64 random(seed);
  std::vector<Street> streets;
  const auto add = [&](std::uint32_t from, std::uint32_t to, bool is_main) {
    const std::uint64_t draw = random();
    const auto length = static_cast<std::uint32_t>(64 + draw % (kMaxEdgeLength - 63));
    if (draw >> 61 != 0 || is_main) streets.push_back({from, to, is_main ? length / 4 : length});
  };
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint32_t node = y * width + x;
      if (x + 1 < width) add(node, node + 1, y % kMainRoads == 0);
      if (y + 1 < height) add(node, node + width, x % kMainRoads == 0);
    }
  }
  return graph_of(static_cast<std::uint32_t>(nodes), streets);
}

WeightedGraph rmat_graph(int scale, int edge_factor, std::uint64_t seed) {
  check_range("scale", scale, 1, 24);
  check_range("edge_factor", edge_factor, 1, 64);
  std::mt19937_64 random(seed);
  const std::uint32_t nodes = std::uint32_t{1} << scale;
  const std::vector<std::uint32_t> order = random_order(nodes, random);
  std::vector<Street> streets;
  for (std::uint64_t i = 0; i < std::uint64_t{nodes} * edge_factor; ++i) {
    const auto [row, column] = rmat_edge(scale, random);
    const auto length = static_cast<std::uint32_t>(1 + random() % kMaxEdgeLength);
    if (row != column) streets.push_back({order[row], order[column], length});
  }
  return graph_of(nodes, streets);
}

}  // namespace millrace::examples

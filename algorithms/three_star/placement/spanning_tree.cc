// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/spanning_tree.h>

#include <boost/pending/disjoint_sets.hpp>
#include <boost/polygon/voronoi.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace millrace::three_star {
namespace {

struct Site {
  std::int32_t x;
  std::int32_t y;
  std::uint32_t node;
};

struct Bounds {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Returns the middle, rounded up.
  double middle() const { return std::ceil((low + high) / 2); }
};

// Returns nodes in units of a power of two, such that they all fit, in the order of their
// positions.
std::vector<Site> sites_of(std::span<const Position> nodes) {
  Bounds x;
  Bounds y;
  for (const Position& node : nodes) {
    x.include(node.x);
    y.include(node.y);
  }
  const double reach = std::max(x.middle() - x.low, y.middle() - y.low);
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  double scale = 1;
  while (scale < kMost && 2 * scale * (reach + 1) <= kMost) scale *= 2;
  std::vector<Site> sites;
  sites.reserve(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    sites.push_back({static_cast<std::int32_t>(std::floor((nodes[i].x - x.middle()) * scale + 0.5)),
                     static_cast<std::int32_t>(std::floor((nodes[i].y - y.middle()) * scale + 0.5)),
                     i});
  }
  std::sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) {
    return std::tie(a.x, a.y, a.node) < std::tie(b.x, b.y, b.node);
  });
  return sites;
}

TreeEdge edge_between(std::span<const Position> nodes, std::uint32_t a, std::uint32_t b) {
  return {a, b, std::sqrt(squared_distance(nodes[a], nodes[b]))};
}

}  // namespace

std::vector<TreeEdge> delaunay_edges(std::span<const Position> nodes) {
  using boost::polygon::point_data;
  if (nodes.size() < 2) return {};
  std::vector<TreeEdge> edges;
  std::vector<point_data<std::int32_t>> positions;
  std::vector<std::uint32_t> node_at;
  for (const Site& site : sites_of(nodes)) {
    const point_data<std::int32_t> position(site.x, site.y);
    if (!positions.empty() && positions.back() == position) {
      edges.push_back(edge_between(nodes, node_at.back(), site.node));
    } else {
      positions.push_back(position);
      node_at.push_back(site.node);
    }
  }
  boost::polygon::voronoi_diagram<double> diagram;
  boost::polygon::construct_voronoi(positions.begin(), positions.end(), &diagram);
  for (const auto& edge : diagram.edges()) {
    const auto a = edge.cell()->source_index();
    const auto b = edge.twin()->cell()->source_index();
    if (a < b) edges.push_back(edge_between(nodes, node_at[a], node_at[b]));
  }
  return edges;
}

std::vector<TreeEdge> spanning_tree(std::span<const Position> nodes,
                                    std::span<const TreeEdge> also) {
  if (nodes.size() < 2) return {};
  std::vector<TreeEdge> edges = delaunay_edges(nodes);
  for (const TreeEdge& edge : also) edges.push_back(edge_between(nodes, edge.a, edge.b));
  std::sort(edges.begin(), edges.end(), [](const TreeEdge& a, const TreeEdge& b) {
    return std::tie(a.length, a.a, a.b) < std::tie(b.length, b.a, b.b);
  });
  // Kruskal's algorithm.
  boost::disjoint_sets_with_storage<> sets(nodes.size());
  std::vector<TreeEdge> tree;
  tree.reserve(nodes.size() - 1);
  for (const TreeEdge& edge : edges) {
    if (sets.find_set(edge.a) == sets.find_set(edge.b)) continue;
    sets.union_set(edge.a, edge.b);
    tree.push_back(edge);
  }
  return tree;
}

}  // namespace millrace::three_star

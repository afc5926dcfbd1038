// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/steiner_tree.h>

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace millrace::three_star {
namespace {

constexpr std::size_t kNoEdge = std::numeric_limits<std::size_t>::max();

// Indices of the edges at each node.
class NodeEdges {
 public:
  NodeEdges(std::size_t nodes, std::span<const RouteEdge> edges) : starts_(nodes + 1) {
    for (const RouteEdge& edge : edges) {
      ++starts_[edge.a + 1];
      ++starts_[edge.b + 1];
    }
    for (std::size_t i = 0; i < nodes; ++i) starts_[i + 1] += starts_[i];
    std::vector<std::size_t> next = starts_;
    edges_.resize(2 * edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges_[next[edges[i].a]++] = i;
      edges_[next[edges[i].b]++] = i;
    }
  }

  std::span<const std::size_t> of(std::uint32_t node) const {
    return std::span(edges_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> edges_;
};

// The nearest terminal of each node.
struct Nearest {
  RouteCost cost{std::numeric_limits<std::uint64_t>::max(), 0};
  std::uint32_t terminal = 0;
  // Leads to it; kNoEdge at the terminal, and where no terminal is near.
  std::size_t edge = kNoEdge;

  bool is_reached() const { return cost.relays != std::numeric_limits<std::uint64_t>::max(); }
};

std::vector<Nearest> nearest_terminals(std::size_t nodes, std::size_t terminals,
                                       std::span<const RouteEdge> edges) {
  const NodeEdges neighbours(nodes, edges);
  std::vector<Nearest> nearest(nodes);
  using Entry = std::tuple<RouteCost, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (std::uint32_t i = 0; i < terminals; ++i) {
    nearest[i] = {{}, i, kNoEdge};
    open.emplace(RouteCost{}, i);
  }
  while (!open.empty()) {
    const auto [cost, node] = open.top();
    open.pop();
    if (nearest[node].cost < cost) continue;
    for (const std::size_t index : neighbours.of(node)) {
      const RouteEdge& edge = edges[index];
      const std::uint32_t other = edge.a == node ? edge.b : edge.a;
      const RouteCost sum = cost + edge.cost;
      if (!(sum < nearest[other].cost)) continue;
      nearest[other] = {sum, nearest[node].terminal, index};
      open.emplace(sum, other);
    }
  }
  return nearest;
}

// Returns the edges in the order of their costs.
template <class Cost>
std::vector<std::size_t> in_order(std::vector<std::size_t> some, const Cost& cost) {
  std::sort(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(cost(a), a) < std::make_pair(cost(b), b);
  });
  return some;
}

// Returns the tree without ends that are no terminals.
std::vector<std::size_t> pruned(std::size_t nodes, std::size_t terminals,
                                std::span<const RouteEdge> edges, std::vector<std::size_t> tree) {
  std::vector<std::uint32_t> degree(nodes);
  for (const std::size_t i : tree) {
    ++degree[edges[i].a];
    ++degree[edges[i].b];
  }
  const auto is_end = [&](std::uint32_t node) { return node >= terminals && degree[node] == 1; };
  for (std::size_t before = kNoEdge; tree.size() != before;) {
    before = tree.size();
    std::erase_if(tree, [&](std::size_t i) {
      const bool is_loose = is_end(edges[i].a) || is_end(edges[i].b);
      if (is_loose) {
        --degree[edges[i].a];
        --degree[edges[i].b];
      }
      return is_loose;
    });
  }
  return tree;
}

}  // namespace

std::vector<std::size_t> steiner_tree(std::size_t nodes, std::size_t terminals,
                                      std::span<const RouteEdge> edges) {
  const std::vector<Nearest> nearest = nearest_terminals(nodes, terminals, edges);
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Nearest& a = nearest[edges[i].a];
    const Nearest& b = nearest[edges[i].b];
    if (a.is_reached() && b.is_reached() && a.terminal != b.terminal) between.push_back(i);
  }
  between = in_order(std::move(between), [&](std::size_t i) {
    return nearest[edges[i].a].cost + edges[i].cost + nearest[edges[i].b].cost;
  });
  std::vector<bool> is_taken(edges.size());
  const auto take_path = [&](std::uint32_t node) {
    while (nearest[node].edge != kNoEdge && !is_taken[nearest[node].edge]) {
      const std::size_t index = nearest[node].edge;
      is_taken[index] = true;
      node = edges[index].a == node ? edges[index].b : edges[index].a;
    }
  };
  boost::disjoint_sets_with_storage<> joined(std::max<std::size_t>(nodes, 1));
  for (const std::size_t i : between) {
    const std::uint32_t a = nearest[edges[i].a].terminal;
    const std::uint32_t b = nearest[edges[i].b].terminal;
    if (joined.find_set(a) == joined.find_set(b)) continue;
    joined.union_set(a, b);
    is_taken[i] = true;
    take_path(edges[i].a);
    take_path(edges[i].b);
  }
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (is_taken[i]) taken.push_back(i);
  }
  taken = in_order(std::move(taken), [&](std::size_t i) { return edges[i].cost; });
  boost::disjoint_sets_with_storage<> sets(std::max<std::size_t>(nodes, 1));
  std::erase_if(taken, [&](std::size_t i) {
    const bool is_cycle = sets.find_set(edges[i].a) == sets.find_set(edges[i].b);
    if (!is_cycle) sets.union_set(edges[i].a, edges[i].b);
    return is_cycle;
  });
  return pruned(nodes, terminals, edges, std::move(taken));
}

}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0

// Joins terminals of a graph by a tree of low cost.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_STEINER_TREE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_STEINER_TREE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Fewer relays cost less, whatever the length.
struct RouteCost {
  std::uint64_t relays = 0;
  double length = 0;

  friend RouteCost operator+(const RouteCost& a, const RouteCost& b) {
    return {a.relays + b.relays, a.length + b.length};
  }
  friend auto operator<=>(const RouteCost&, const RouteCost&) = default;
};

struct RouteEdge {
  std::uint32_t a = 0;  // Indices of nodes.
  std::uint32_t b = 0;
  RouteCost cost;
};

// Returns the indices of edges of a forest that joins all terminals, nodes 0 to `terminals` - 1,
// that edges can join; other nodes are used only where they lie between. After Mehlhorn, "A faster
// approximation algorithm for the Steiner problem in graphs" (1988): its cost is less than twice
// the least, and at most that of the minimum spanning tree of the terminals alone.
std::vector<std::size_t> steiner_tree(std::size_t nodes, std::size_t terminals,
                                      std::span<const RouteEdge> edges);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_STEINER_TREE_H_

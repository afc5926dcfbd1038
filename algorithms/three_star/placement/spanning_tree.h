// SPDX-License-Identifier: Apache-2.0

// Makes the Euclidean minimum spanning tree.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_SPANNING_TREE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_SPANNING_TREE_H_

#include <millrace/algorithms/three_star/placement/position.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

struct TreeEdge {
  std::uint32_t a = 0;  // Indices of nodes.
  std::uint32_t b = 0;
  double length = 0;
};

// Returns the edges of the Delaunay triangulation, and edges that join nodes at one position.
std::vector<TreeEdge> delaunay_edges(std::span<const Position> nodes);

// Returns one edge fewer than there are nodes, which may have the same position. The tree is a
// subgraph of the Delaunay triangulation (Boost.Polygon), which is exact for whole numbers of 32
// bits; other nodes are rounded for it, as finely as these bits allow, so `also` names edges that
// must not be missed. Their lengths are computed again.
std::vector<TreeEdge> spanning_tree(std::span<const Position> nodes,
                                    std::span<const TreeEdge> also = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_SPANNING_TREE_H_

// SPDX-License-Identifier: Apache-2.0

// Graphs whose edges have lengths, and generators of them.
#ifndef MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_WEIGHTED_GRAPH_H_
#define MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_WEIGHTED_GRAPH_H_

#include <millrace/docs/examples/shortest_paths/delta_stepping_tasks.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::examples {

// With these limits no path is longer than 2^32 - 2.
inline constexpr std::uint32_t kMaxGraphNodes = 1 << 24;
inline constexpr std::uint32_t kMaxEdgeLength = 255;

// The edges of node n are edges[begin[n]] to edges[begin[n + 1] - 1]. Generated graphs have each
// edge in both directions.
struct WeightedGraph {
  std::vector<std::uint32_t> begin = {0};
  std::vector<WeightedEdge> edges;

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(begin.size() - 1); }

  // Returns the first of the nodes with the most edges.
  std::uint32_t hub() const;
};

// A grid of crossings, each with streets to its four neighbours, like a road network: one street in
// eight is missing, and every 16th row and column is a main road, a quarter as long. Throws
// kInvalidArgument unless there are 1 to kMaxGraphNodes crossings.
WeightedGraph grid_graph(std::uint32_t width, std::uint32_t height, std::uint64_t seed);

// A graph of 2^scale nodes. It draws edge_factor * 2^scale edges as the Graph 500 benchmark's
// specification does (https://graph500.org): R-MAT (D. Chakrabarti, Y. Zhan and C. Faloutsos, 2004)
// with A = 0.57, B = C = 0.19, and nodes renumbered at random. It leaves out loops, and has each
// other edge in both directions. Lengths are 1 to kMaxEdgeLength. Throws kInvalidArgument for a
// scale outside of 1 to 24 or an edge factor outside of 1 to 64.
WeightedGraph rmat_graph(int scale, int edge_factor, std::uint64_t seed);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_WEIGHTED_GRAPH_H_

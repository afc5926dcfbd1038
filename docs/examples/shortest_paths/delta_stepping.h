// SPDX-License-Identifier: Apache-2.0

// Lengths of the shortest paths from one node to all others.
#ifndef MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_H_
#define MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_H_

#include <millrace/docs/examples/shortest_paths/weighted_graph.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace millrace::examples {

inline constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max();

struct PathOptions {
  std::uint32_t source = 0;   // A node.
  std::uint32_t delta = 256;  // Width of a level, at least 1.
  RunOptions run = {};
};

struct PathResult {
  std::vector<std::uint32_t> distances;  // Indexed by node.
  RunReport report;
};

// Throws kInvalidArgument for options out of range, and what run_tasks throws.
PathResult shortest_paths(Queue& queue, const WeightedGraph& graph, const PathOptions& options);

// Returns true if these are the lengths of the shortest paths from the source. No edge may make a
// path shorter, and some edge must end a path of its length at each node that is reached, except
// the source. Lengths of edges must not be 0.
bool are_shortest(const WeightedGraph& graph, std::uint32_t source,
                  const std::vector<std::uint32_t>& distances);

// Returns the lengths by Boost.Graph's dijkstra_shortest_paths on this thread, and sets `seconds`
// to the time of that call.
std::vector<std::uint32_t> dijkstra(const WeightedGraph& graph, std::uint32_t source,
                                    double& seconds);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_H_

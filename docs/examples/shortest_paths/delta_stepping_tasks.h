// SPDX-License-Identifier: Apache-2.0

// Single-source shortest paths by delta-stepping (U. Meyer and P. Sanders, Delta-stepping: a
// parallelizable shortest path algorithm, 2003), without its distinction of light and heavy edges.
// Nodes are visited in order of distance / delta, which is their level; within a level in any
// order, and again where a shorter path is found.
#ifndef MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::examples {

struct WeightedEdge {
  std::uint32_t target;
  std::uint32_t length;
};

// A graph in memory of the device (weighted_graph.h), and the lengths of the shortest paths found.
struct PathSearch {
  const std::uint32_t* begin;
  const WeightedEdge* edges;
  std::uint32_t* distances;  // The largest number there is if no path is known.
  std::uint32_t delta;
};

// Follows edges of a node to which there is a path of this length.
struct RelaxEdges {
  static constexpr bool kUsesLevels = true;
  static constexpr std::uint32_t kMaxEdges = 64;  // Further edges are followed by other tasks.

  const PathSearch* search;  // Points to device memory.
  std::uint32_t node;
  std::uint32_t distance;
  std::uint32_t first;  // The first of these edges.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    // A shorter path may have been found since. fetch_min reads the stored value atomically, so
    // there is no race with tasks that lower it.
    if (context.fetch_min(search->distances + node, distance) < distance) return;
    const std::uint32_t begin = search->begin[node] + first;
    const std::uint32_t end = search->begin[node + 1];
    if (first == 0 && end - begin > kMaxEdges) {
      context.spawn_many((end - begin - 1) / kMaxEdges, [this](std::uint32_t i) {
        return RelaxEdges{search, node, distance, (i + 1) * kMaxEdges};
      });
    }
    for (std::uint32_t i = begin; i < end && i < begin + kMaxEdges; ++i) follow(context, i);
  }

  template <class Context>
  MILLRACE_FUNCTION void follow(Context& context, std::uint32_t edge) const {
    const auto [target, length] = search->edges[edge];
    const std::uint32_t through = distance + length;
    if (context.fetch_min(search->distances + target, through) > through) {
      context.spawn_at(through / search->delta, RelaxEdges{search, target, through, 0});
    }
  }
};

using DeltaSteppingTasks = TaskSet<RelaxEdges>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SHORTEST_PATHS_DELTA_STEPPING_TASKS_H_

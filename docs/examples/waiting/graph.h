// SPDX-License-Identifier: Apache-2.0

// The longest path to each node of a graph without cycles.
#ifndef MILLRACE_DOCS_EXAMPLES_WAITING_GRAPH_H_
#define MILLRACE_DOCS_EXAMPLES_WAITING_GRAPH_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

struct Graph {  // Device memory, indexed by node.
  const std::uint32_t *predecessor_begin, *predecessors;
  const std::uint32_t *successor_begin, *successors;
  std::uint32_t* missing;  // Predecessors that have not arrived.
  std::uint32_t* longest;
};

struct VisitNode {
  Graph graph;
  std::uint32_t node;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint32_t longest = 0;
    for (auto i = graph.predecessor_begin[node]; i < graph.predecessor_begin[node + 1]; ++i) {
      const std::uint32_t through = graph.longest[graph.predecessors[i]] + 1;
      if (through > longest) longest = through;
    }
    graph.longest[node] = longest;
    for (auto i = graph.successor_begin[node]; i < graph.successor_begin[node + 1]; ++i) {
      const std::uint32_t next = graph.successors[i];
      context.arrive(&graph.missing[next], VisitNode{graph, next});
    }
  }
};

using GraphTasks = millrace::TaskSet<VisitNode>;

#endif  // MILLRACE_DOCS_EXAMPLES_WAITING_GRAPH_H_

// SPDX-License-Identifier: Apache-2.0

// Other libraries that run a graph of tasks on a CPU, a node or a task for each of its tasks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_TASK_GRAPH_PEERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_TASK_GRAPH_PEERS_H_

#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_tables.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/task_graph.h>

#include <functional>
#include <span>

namespace millrace::tools {

struct TaskGraphPeer {
  const char* name;

  // Returns a function that runs the graph once, on all threads; it may be called again. The graph
  // and its tables, which it reads, must outlive it.
  std::function<void()> (*prepare)(const TaskGraph& graph, const GraphTables& tables);
};

// oneTBB's flow graph, of nodes that are made once, beforehand, and run again and again; and, if
// the compiler has them, OpenMP's tasks with dependences, which one thread makes in each run, as
// Task Bench's own program for OpenMP does.
std::span<const TaskGraphPeer> task_graph_peers();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_TASK_GRAPH_PEERS_H_

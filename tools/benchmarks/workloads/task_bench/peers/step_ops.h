// SPDX-License-Identifier: Apache-2.0

// Graphs of Task Bench on a GPU without tasks: a kernel a step, a warp a point.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_STEP_OPS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_STEP_OPS_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_tables.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/task_graph.h>

#include <functional>

namespace millrace::tools {

// Returns a function that launches the kernels one by one and waits for the queue. `graph` is in
// memory of the queue's device; it, the tables and the queue must outlive the result.
struct StepLaunchesOp {
  using Function = std::function<void()>(Queue&, const TaskGraph* graph, const GraphTables&);
};

// The same by one launch of a graph of these kernels, a node each, which the vendor's library has
// made beforehand. CUDA alone has it.
struct StepGraphOp {
  using Function = std::function<void()>(Queue&, const TaskGraph* graph, const GraphTables&);
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_PEERS_STEP_OPS_H_

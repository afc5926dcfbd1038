// SPDX-License-Identifier: Apache-2.0

// The tables of a task graph, made on the host.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_TABLES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_TABLES_H_

#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_shape.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/task_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::tools {

// Most tasks of a graph: their indices have 32 bits, and they write 16 bytes each.
inline constexpr std::uint64_t kMaxGraphTasks = std::uint64_t{1} << 28;

// The members of TaskGraph (task_graph.h) of the same names. Steps whose lists are equal share
// them.
struct GraphTables {
  std::uint32_t width = 0;
  std::uint32_t steps = 0;
  std::uint32_t roots = 0;
  std::uint64_t tasks = 0;         // Points of all steps.
  std::vector<PointRange> points;  // Indexed by step.
  std::vector<StepTable> step_tables;
  std::vector<std::uint32_t> list_begins;
  std::vector<std::uint32_t> lists;
  std::vector<std::uint32_t> missing;  // Number of inputs of each task, width * steps.
};

// Throws kInvalidArgument for a width below 2, for more than kMaxGraphTasks tasks, and for a graph
// in which tasks without inputs are not the first ones: kDom of fewer steps than its width.
GraphTables make_graph_tables(const GraphShape& shape);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_TABLES_H_

// SPDX-License-Identifier: Apache-2.0

// Tasks that wait for tasks, and trees, beside other libraries' fork and join and task graphs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// The calls of a recursive function, each a task with a join.
Workload fibonacci_workload();

// The ways to put queens on a board, down to a cut-off a task for each placement.
Workload n_queens_workload();

// The trees of the unbalanced tree search benchmark.
Workload uts_workload();

// The alignment of two sequences as a wavefront of tiles.
Workload wavefront_workload();

// All of them: "joins-fibonacci", "joins-n-queens", "joins-uts" and "joins-wavefront";
// "joins-cholesky" and "joins-merge-sort" (cholesky_workload.h, merge_sort_workload.h).
std::vector<Workload> join_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_

// SPDX-License-Identifier: Apache-2.0

// Tasks that wait for tasks, beside other libraries' fork and join and task
// graphs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_

#include <vector>

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "joins-fibonacci": the calls of a recursive function, each a task with a join; "joins-cholesky"
// and "joins-merge-sort" (cholesky_workload.h, merge_sort_workload.h).
std::vector<Workload> join_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_JOIN_WORKLOADS_H_

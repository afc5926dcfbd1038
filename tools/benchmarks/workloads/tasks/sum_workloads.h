// SPDX-License-Identifier: Apache-2.0

// The cost of a task with next to no work: sums of values, a task each.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// tasks-empty-flat, tasks-empty-spawn and tasks-empty-halves; on a CPU beside oneTBB's own
// algorithms (sum_peer.h).
std::vector<Workload> sum_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_WORKLOADS_H_

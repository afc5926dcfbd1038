// SPDX-License-Identifier: Apache-2.0

// The cost of a deadline that is never reached.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_DEADLINE_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_DEADLINE_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// tasks-deadline: a tree, chains and a flat queue, each without a deadline and with one an hour
// away.
std::vector<Workload> deadline_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_DEADLINE_WORKLOAD_H_

// SPDX-License-Identifier: Apache-2.0

// Queues of tasks that spawn, on the first device alone and shared by a group
// (runtime/group/run_shared_tasks.h).
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_SHARED_TASK_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_SHARED_TASK_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

std::vector<Workload> shared_task_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_SHARED_TASK_WORKLOADS_H_

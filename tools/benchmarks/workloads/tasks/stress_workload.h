// SPDX-License-Identifier: Apache-2.0

// Many short runs of random shape, each of which is checked.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// tasks-stress: a size is a number of runs, an input the seed of the first one. Each further run of
// the benchmark goes on with the seeds after those before.
std::vector<Workload> stress_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_

// SPDX-License-Identifier: Apache-2.0

// Many short runs of random shape, of each of which every task must run once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_

#include <string>
#include <vector>

#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// The text of the error for a run of the shape that was wrong: what it drew, what is wrong, and the
// options that repeat it.
std::string stress_failure(const StressShape& shape, const std::string& fault);

// tasks-stress: a size is a number of runs, an input the seed of the first one. Each further run of
// the benchmark goes on with the seeds after those before.
std::vector<Workload> stress_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_WORKLOAD_H_

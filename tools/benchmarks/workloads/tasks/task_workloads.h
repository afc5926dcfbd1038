// SPDX-License-Identifier: Apache-2.0

// Task queues of many shapes, and the example programs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TASK_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TASK_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// tasks-tree, tasks-geo, tasks-bin, tasks-calls, tasks-chains, tasks-flat and tasks-copies;
// micro-empty and micro-one-task.
std::vector<Workload> task_workloads();

// tasks-quadrature, tasks-n-queens and tasks-mandelbrot.
std::vector<Workload> example_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TASK_WORKLOADS_H_

// SPDX-License-Identifier: Apache-2.0

// Random forests (tools/benchmarks/workloads/tasks/stress_shape.h) that several devices share.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// group-stress: sizes and inputs are those of tasks-stress. Each run of a shape is one shared run,
// of tasks that only spawn or that open joins.
Workload group_stress_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_

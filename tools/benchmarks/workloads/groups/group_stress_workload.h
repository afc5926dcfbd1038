// SPDX-License-Identifier: Apache-2.0

// Random forests (tools/benchmarks/workloads/tasks/stress_shape.h) that several devices share.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>

namespace millrace::tools {

// group-stress: sizes and inputs are those of tasks-stress. Each run of a shape is one shared run,
// of tasks that only spawn or that open joins. The check counts the runs in which several devices
// ran tasks.
Workload group_stress_workload();

// Returns the shape that a seed stands for there. Every fourth has so many roots that each device
// begins with some; the others begin on one device. They are small if a device is simulated.
StressShape draw_group_stress_shape(std::uint64_t seed, bool is_simulated);

// Throws kInternal if none of the runs that were to be shared was, and they were so many that this
// is no chance.
void check_shared(std::uint64_t to_be_shared, std::uint64_t shared);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_STRESS_WORKLOAD_H_

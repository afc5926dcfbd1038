// SPDX-License-Identifier: Apache-2.0

// The least operation of a device.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_LAUNCH_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_LAUNCH_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// micro-launch: four bytes filled, and waited for.
std::vector<Workload> launch_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_LAUNCH_WORKLOAD_H_

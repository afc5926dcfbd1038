// SPDX-License-Identifier: Apache-2.0

// Copies and launches: what every run on a device begins and ends with.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPY_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPY_WORKLOADS_H_

#include <vector>

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// micro-copy, micro-upload, micro-download and micro-launch.
std::vector<Workload> copy_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPY_WORKLOADS_H_

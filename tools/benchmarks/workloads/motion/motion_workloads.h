// SPDX-License-Identifier: Apache-2.0

// Full search for motion in H.264 pictures.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// motion-integer, motion-half and motion-quarter; beside the last x264, a whole encoder of one
// thread.
std::vector<Workload> motion_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOADS_H_

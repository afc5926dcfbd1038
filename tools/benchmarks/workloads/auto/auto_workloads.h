// SPDX-License-Identifier: Apache-2.0

// kAuto against each fixed policy, on work that tune has not seen.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// auto-idct, auto-sort and auto-three-star. auto-sort throws kUnsupported where the buckets of a
// sort are no tasks, as on GPUs.
std::vector<Workload> auto_algorithm_workloads();

// auto-tree, auto-read-tree, auto-geo, auto-bin, auto-chains, auto-flat, auto-copies and
// auto-one-task.
std::vector<Workload> auto_queue_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_WORKLOADS_H_

// SPDX-License-Identifier: Apache-2.0

// Copies to and from a device at once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BOTH_WAYS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BOTH_WAYS_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// micro-both-ways. A size is the number of bytes that are copied in each direction.
std::vector<Workload> both_ways_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BOTH_WAYS_WORKLOAD_H_

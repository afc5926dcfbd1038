// SPDX-License-Identifier: Apache-2.0

// The search for 3-stars of points in host memory.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// three-star-count, three-star-compressed and three-star-visit.
std::vector<Workload> three_star_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOADS_H_

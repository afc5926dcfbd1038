// SPDX-License-Identifier: Apache-2.0

// Radix sort of u32 keys, alone or with u32 values, beside the sorts of others.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// sort-keys and sort-pairs.
std::vector<Workload> sort_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_WORKLOADS_H_

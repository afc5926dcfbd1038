// SPDX-License-Identifier: Apache-2.0

// Merge sort by joins, beside other libraries' fork and join.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_MERGE_SORT_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_MERGE_SORT_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "joins-merge-sort".
Workload merge_sort_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_MERGE_SORT_WORKLOAD_H_

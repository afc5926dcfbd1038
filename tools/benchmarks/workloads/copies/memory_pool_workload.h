// SPDX-License-Identifier: Apache-2.0

// The workload micro-pool measures the cost of memory from a device's pools.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_MEMORY_POOL_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_MEMORY_POOL_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// micro-pool: a block from a pool that grows, and from one that has it already. A size is the bytes
// of the block.
std::vector<Workload> memory_pool_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_MEMORY_POOL_WORKLOAD_H_

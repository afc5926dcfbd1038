// SPDX-License-Identifier: Apache-2.0

// Cholesky's factorization by a graph of tasks, beside oneTBB's flow graph.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_CHOLESKY_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_CHOLESKY_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "joins-cholesky". Its inputs are matrices in tiles of different sizes.
Workload cholesky_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_CHOLESKY_WORKLOAD_H_

// SPDX-License-Identifier: Apache-2.0

// The inverse transform of H.264, of macroblocks on the device and in host memory.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// idct, idct-host (residuals come back) and idct-host-picture (pictures do).
std::vector<Workload> idct_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOADS_H_

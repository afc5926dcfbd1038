// SPDX-License-Identifier: Apache-2.0

// Workloads of the inverse transform of macroblocks in host memory, as they are and coded.
//
// Each way has bytes of the link for a macroblock, and a limit. On an H200 whose link takes 54.7
// GB/s up, 55.3 down and 46.7 each way at once, with 16 host threads that copy 53 GB/s, they are:
//
//   downloaded    uploaded                      bytes up / down   limited by              M/s
//   residual      coefficients                  513 / 512         link, both ways         91
//   features      coefficients                  513 / 0           link up                 107
//   features      coded beforehand              about 12 / 0      device, chunks' starts  > 320
//   features      coded on the way              about 12 / 0      host memory: 512 read   about 200
//   picture       coded, prediction is there    about 12 / 256    link down               216
//   picture       coded, prediction too         about 268 / 256   link, both ways         174
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_RUNS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// Returns "idct-host", "idct-host-features" and "idct-host-picture", by what comes back.
std::vector<Workload> idct_host_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_RUNS_H_

// SPDX-License-Identifier: Apache-2.0

// `bench idct-host`: the inverse transform of macroblocks in host memory, as they are and coded.
//
// What a macroblock takes of the link, and of what else is slow, on an H200 whose link takes 54.7
// GB/s up, 55.3 down and 46.7 each way at once, with 16 host threads that copy 53 GB/s:
//
//   comes back    goes up                       bytes up / down   limited by              M/s
//   int16         coefficients                  513 / 512         link, both ways         91
//   features      coefficients                  513 / 0           link up                 107
//   features      coded beforehand              about 12 / 0      device, chunks' starts  > 320
//   features      coded on the way              about 12 / 0      host memory: 512 read   about 200
//   picture       coded, prediction is there    about 12 / 256    link down               216
//   picture       coded, prediction too         about 268 / 256   link, both ways         174
//
// So three times the dense upload takes a queue that was coded before it waits: its dense form
// alone is more than the host's memory gives to 16 threads in that time. And twice the dense round
// trip takes a prediction that is on the device, as the picture before it is.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_HOST_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_HOST_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct IdctHostBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;
  std::string clip{};        // Empty: a synthetic queue.
  std::size_t pictures = 0;  // 0: by the device.
  std::size_t chunk_macroblocks = 1 << 16;
  int depth = 4;
  std::size_t rounds = 5;  // At least.
};

// Prints a row for each way a queue goes to a device and its results come back, in one run side by
// side, and the bars on a device with memory of its own: three times the dense upload's rate where
// features come back, twice that of the dense round trip where pictures do. Every way is checked
// against the CPU first: kInternal where it differs.
void benchmark_idct_host(const IdctHostBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_HOST_BENCHMARK_H_

// SPDX-License-Identifier: Apache-2.0

// `bench idct-paper`: Fig. 5 of Chen, Wang, Zhuang and Liu
// (algorithms/idct/paper/idct_strategies.h) on this device, from a thousand macroblocks to a
// million, beside the runtime's policies.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_PAPER_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_PAPER_BENCHMARK_H_

#include <string>

namespace millrace::tools {

struct IdctPaperBenchmarkOptions {
  std::string device;
  double seconds = 2;    // For each number of macroblocks.
  std::string csv = {};  // A file for the table's figures; may be empty.
  std::string svg = {};  // A file for them drawn over the number of macroblocks; may be empty.
};

// Prints a table and where one algorithm or access becomes faster than another. Throws kUnsupported
// on a device that is no GPU, kIo where a file cannot be written, and kInternal where a result
// differs from the reference (which is checked before any timing).
void benchmark_idct_paper(const IdctPaperBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_PAPER_BENCHMARK_H_

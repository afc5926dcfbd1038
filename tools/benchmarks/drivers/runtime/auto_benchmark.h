// SPDX-License-Identifier: Apache-2.0

// kAuto against each fixed policy, on workloads that tune has not seen.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_BENCHMARK_H_

#include <string>

namespace millrace::tools {

struct AutoBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;     // For each case, and up to ten times as long where its ratio varies.
  std::string csv{};      // Empty: none.
  std::string cases{};    // Those whose names have this in them; empty: all.
  bool is_quick = false;  // Small cases: whether it works.
};

// Prints a line for each case: the medians of all policies in microseconds, what kAuto chose, the
// median over rounds of its time to the best policy's and the width of that median's 95 % interval,
// the median of the best policy run a second time, which is what chance does, and the ratio of
// kAuto's first run, before which nothing was known of the case. kAuto is at its choice after
// kSettlingRuns runs (12 where it is quick). Then the bars: the share of cases within 5 %, and the
// worst. Returns whether they are met, as they are where it is quick. Throws kIo, and kInternal
// where a result is wrong.
bool benchmark_auto(const AutoBenchmarkOptions& options);

inline constexpr int kSettlingRuns = 40;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_BENCHMARK_H_

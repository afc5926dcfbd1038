// SPDX-License-Identifier: Apache-2.0

// `bench idct`: the mixed macroblock queue in memory and in cache, on one thread and on all, under
// each policy, against a copy in the same run.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_BENCHMARK_H_

#include <string>

namespace millrace::tools {

// Prints a table; `seconds` is spent on each of its parts. Throws what opening the device throws,
// and kInternal where a result differs from the reference (which is checked before any timing).
void benchmark_idct(const std::string& device, double seconds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_IDCT_IDCT_BENCHMARK_H_

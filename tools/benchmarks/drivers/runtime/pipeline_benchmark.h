// SPDX-License-Identifier: Apache-2.0

// `bench pipeline`: how much of a link a pipeline keeps busy both ways, and what a chunk costs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_PIPELINE_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_PIPELINE_BENCHMARK_H_

#include <string>

namespace millrace::tools {

// Prints tables: chunks of several sizes, from and to pinned and pageable memory, beside copies
// both ways at once with nothing between them, and beside one thing after the other; then the cost
// of a chunk of next to nothing. `seconds` is spent on each table. Throws kInternal where what
// comes back is not what was sent (which is checked before any timing).
void benchmark_pipeline(const std::string& device, double seconds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_PIPELINE_BENCHMARK_H_

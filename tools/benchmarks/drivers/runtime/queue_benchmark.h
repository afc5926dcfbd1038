// SPDX-License-Identifier: Apache-2.0

// `bench queues`: queues of tasks of many shapes under every policy, against what the hardware
// allows, and what a run, a deadline and larger tasks cost.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_QUEUE_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_QUEUE_BENCHMARK_H_

#include <string>

namespace millrace::tools {

struct QueueBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;     // For each part of the table.
  std::string csv{};      // A file for the table's figures, or empty.
  bool is_quick = false;  // Small queues, few rounds: to see that all works, not how fast.
};

// Prints a table and, on a GPU that is real, the bars, which are 80 % of prototypes on an H200.
// Throws kInternal where a run's result is wrong, and kIo where the file cannot be written.
void benchmark_queues(const QueueBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_QUEUE_BENCHMARK_H_

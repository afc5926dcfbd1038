// SPDX-License-Identifier: Apache-2.0

// `bench stress`: many short runs of random shape, of each of which every task must run once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_STRESS_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_STRESS_BENCHMARK_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace millrace::tools {

struct StressOptions {
  std::string device = "tbb";
  std::size_t runs = 1000;
  double seconds = std::numeric_limits<double>::infinity();  // No run starts after them.
  std::uint64_t seed = 1;  // Seed of the first run; each next run has the next seed.
};

// Draws a forest, a policy and the queue's memory for tasks from each seed. Prints the seed and
// what it drew for each run that fails and, last, "N runs, M failures"; returns M.
std::size_t stress_queues(const StressOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_STRESS_BENCHMARK_H_

// SPDX-License-Identifier: Apache-2.0

// Runs a graph of Task Bench with tasks of all sizes.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_SWEEP_GRANULARITY_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_SWEEP_GRANULARITY_H_

#include <millrace/tools/benchmarks/workloads/task_bench/graph/metg.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace millrace::tools {

struct SweepOptions {
  double largest_task_seconds =
      100e-6;           // Tasks grow until they take so long, 2 iterations at least.
  int repetitions = 2;  // Runs of each size; the fastest one counts.

  // If set, called before the runs of each size until tasks take kLongestPrepared. Longer ones take
  // much more time, and are not those that METG is about.
  std::function<void(std::uint32_t iterations)> prepare = nullptr;
  static constexpr double kLongestPrepared = 50e-6;
};

// Runs the graph with tasks of `iterations` and returns the seconds that took.
using TimedGraph = std::function<double(std::uint32_t iterations)>;

// Measures a graph of `tasks` tasks on `cores` cores, with tasks of 0 iterations, of 1 and of twice
// as many each time. Returns the largest tasks first.
std::vector<GranularityPoint> sweep_granularity(const TimedGraph& graph, double tasks, double cores,
                                                const SweepOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_SWEEP_GRANULARITY_H_

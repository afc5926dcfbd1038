// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/task_bench/graph/compute_kernel.h>
#include <millrace/tools/benchmarks/workloads/task_bench/sweep_granularity.h>

#include <algorithm>

namespace millrace::tools {

std::vector<GranularityPoint> sweep_granularity(const TimedGraph& graph, double tasks, double cores,
                                                const SweepOptions& options) {
  constexpr std::uint32_t kMostIterations = 1u << 30;
  std::vector<GranularityPoint> points;
  for (std::uint32_t iterations = 0;; iterations = std::max(1u, 2 * iterations)) {
    const bool are_long =
        !points.empty() && points.back().task_seconds >= SweepOptions::kLongestPrepared;
    if (options.prepare && !are_long) options.prepare(iterations);
    double seconds = graph(iterations);
    for (int i = 1; i < options.repetitions; ++i) seconds = std::min(seconds, graph(iterations));
    points.push_back({.task_seconds = seconds * cores / tasks,
                      .rate = compute_operations(iterations) * tasks / seconds});
    const bool is_large = points.back().task_seconds >= options.largest_task_seconds;
    if ((is_large && iterations >= 2) || iterations == kMostIterations) break;
  }
  std::ranges::reverse(points);
  return points;
}

}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0

// The minimum effective task granularity of Task Bench, METG(50 %): the time of the smallest tasks
// of which a system still does half of the work a second that it does of large ones.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_METG_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_METG_H_

#include <vector>

namespace millrace::tools {

// A run of a graph with tasks of one size.
struct GranularityPoint {
  double task_seconds;  // Time of the run * cores / tasks.
  double rate;          // Useful operations per second.
};

// Returns the METG in seconds. The points are in order, from the largest tasks to the smallest. The
// highest rate is the peak, that of the largest tasks where nothing disturbs them. A point's
// efficiency is its rate to the peak. Of the points that are efficient enough the one of least time
// counts; where the next one takes less time, the time is interpolated linearly between the two, at
// `efficiency`. If the last point is efficient enough, its time is the result, which the METG does
// not exceed. Throws kInvalidArgument if there are no points.
double metg_of(const std::vector<GranularityPoint>& points, double efficiency = 0.5);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_METG_H_

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/metg.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

// Returns the index of the point of the highest rate.
std::size_t peak_of(const std::vector<GranularityPoint>& points) {
  const auto peak = std::ranges::max_element(points, {}, &GranularityPoint::rate);
  return static_cast<std::size_t>(peak - points.begin());
}

// Returns the index of the efficient point of least time.
std::size_t least_efficient(const std::vector<GranularityPoint>& points, double least_rate) {
  std::size_t least = peak_of(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].rate >= least_rate && points[i].task_seconds < points[least].task_seconds) {
      least = i;
    }
  }
  return least;
}

}  // namespace

double metg_of(const std::vector<GranularityPoint>& points, double efficiency) {
  if (points.empty()) reject("points is empty; measure at least one granularity");
  const double least_rate = efficiency * points[peak_of(points)].rate;
  const std::size_t least = least_efficient(points, least_rate);
  const GranularityPoint& above = points[least];
  if (least + 1 == points.size()) return above.task_seconds;
  const GranularityPoint& below = points[least + 1];
  if (below.task_seconds >= above.task_seconds) return above.task_seconds;
  const double fraction = (least_rate - below.rate) / (above.rate - below.rate);
  return below.task_seconds + fraction * (above.task_seconds - below.task_seconds);
}

}  // namespace millrace::tools

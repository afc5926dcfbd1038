// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/geography/longitudes.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace millrace::tools {

double cut_at_widest_gap(std::span<double> longitudes) {
  if (longitudes.empty()) return 360;
  for (double& longitude : longitudes) {
    if (longitude >= 180) longitude -= 360;
    if (longitude < -180) longitude += 360;
  }
  std::vector<double> sorted(longitudes.begin(), longitudes.end());
  std::sort(sorted.begin(), sorted.end());
  // The gap across the 180th meridian counts first.
  double widest = sorted.front() + 360 - sorted.back();
  double first = sorted.front();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] <= widest) continue;
    widest = sorted[i] - sorted[i - 1];
    first = sorted[i];
  }
  for (double& longitude : longitudes) {
    if (longitude < first) longitude += 360;
  }
  return widest;
}

}  // namespace millrace::tools

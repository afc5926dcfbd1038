// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/band_plan.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>

namespace millrace::motion {
namespace {

// Returns the speeds, with 0 for devices that have less than half a row's work. The slowest are
// removed first, because that increases the others' work; the fastest is never removed.
std::vector<double> without_the_slowest(int rows, std::vector<double> speeds) {
  while (true) {
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    double* slowest = nullptr;
    for (double& speed : speeds) {
      if (speed > 0 && (slowest == nullptr || speed < *slowest)) slowest = &speed;
    }
    if (slowest == nullptr || *slowest == all || *slowest / all * rows >= 0.5) return speeds;
    *slowest = 0;
  }
}

}  // namespace

std::vector<MacroblockRows> plan_bands(int rows, const std::vector<double>& of_devices) {
  const std::vector<double> speeds = without_the_slowest(rows, of_devices);
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<MacroblockRows> bands;
  double before = 0;
  int first = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    before += speeds[i];
    const int end =
        i + 1 == speeds.size() ? rows : static_cast<int>(std::lround(before / all * rows));
    bands.push_back({first, std::max(0, end - first)});
    first = std::max(first, end);
  }
  return bands;
}

bool are_alike(const std::vector<MacroblockRows>& bands, const std::vector<MacroblockRows>& others,
               int rows) {
  return std::equal(bands.begin(), bands.end(), others.begin(), others.end(),
                    [=](const MacroblockRows& band, const MacroblockRows& other) {
                      return (band.count == 0) == (other.count == 0) &&
                             std::abs(band.count - other.count) <= rows / 32;
                    });
}

}  // namespace millrace::motion

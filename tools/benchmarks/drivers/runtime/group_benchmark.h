// SPDX-License-Identifier: Apache-2.0

// `bench group`: calls that several devices share against the first of them alone, in one run.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_GROUP_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_GROUP_BENCHMARK_H_

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct GroupBenchmarkOptions {
  std::string devices;                  // As open_device_group() takes them: two or more.
  double seconds = 2;                   // For each line's contest.
  std::vector<std::string> parts = {};  // Of "motion", "three-star", "sort" and "idct"; none: all.
  std::size_t most = 0;      // Records that are sorted; 0: 1e9, or 3e6 where a device is simulated.
  std::size_t points = 0;    // That are searched; 0: 409,600, or 1,600.
  std::size_t pictures = 0;  // That are searched, of 1920x1080; 0: 1,000, or 4 of 64x64.
};

// Prints a line for each contest with the group's speed-up, each device's share, and what of the
// bars for two and four devices is met; results are checked. Throws Error where one is wrong, for
// fewer than two devices, and what open_device_group() throws.
void benchmark_group(const GroupBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_GROUP_BENCHMARK_H_

// SPDX-License-Identifier: Apache-2.0

// The search for 3-stars, from points in host memory to counts, chunks and ids there.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_BENCHMARK_H_

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct ThreeStarBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;  // For each number of points.
  std::vector<std::size_t> points = {1600, 6400, 12800, 25600, 102400};
  bool is_clustered = false;  // Also points in clusters, beside those all over the square.
  std::string svg{};          // Empty: not drawn.

  // Rows, of those below: count, compressed, every-id, every-3-star, count-one-thread,
  // compressed-one-thread, written-out, copy. Empty: all that the device can.
  std::vector<std::string> what{};
};

// The names above.
extern const std::vector<std::string> kThreeStarRows;

// Prints a row for each number of points and each of: counts, compressed chunks, and all ids looked
// at on the host; on a CPU also by one thread; on a device with memory of its own also written out
// to pinned memory, and a copy of as many bytes. Points are of 2000 x 2000, the radius is 50; then
// bars that there are for these. Counts must be the same before anything is timed. Throws as
// open_device, and kInvalidArgument where the device can none of the rows.
void benchmark_three_stars(const ThreeStarBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_BENCHMARK_H_

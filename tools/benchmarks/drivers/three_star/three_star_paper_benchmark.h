// SPDX-License-Identifier: Apache-2.0

// `bench three-star-paper`: figures 10 and 11 of Lee, Lo, Chen, Chung and Chung, "GPU Performance
// Enhancement via Communication Cost Reduction", 2012: 3-stars found by sequential code and by the
// paper's method with and without streaming and compression, and where its time goes.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_PAPER_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_PAPER_BENCHMARK_H_

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct ThreeStarPaperOptions {
  std::string device = "tbb";
  double seconds = 2;  // For each number of points.

  // Empty: the paper's, 1,600 to 102,400, on a GPU; up to 12,800 on a CPU; 400 on a simulated GPU.
  std::vector<std::size_t> points = {};

  std::string csv = {};    // A file for the figures; may be empty.
  std::string svg = {};    // A drawing of them; may be empty.
  std::size_t rounds = 3;  // Least rounds of each contest.
};

// Points are of 2000 x 2000, the radius is 50. Triples are tested by tables, which are made before
// anything is timed, and in one more row by arithmetic; on a CPU the other way round. The
// sequential code runs once for each number of points, and every other search must find the same
// set before it is timed; throws Error where one does not, or the device cannot search this way.
void benchmark_three_stars_as_paper(const ThreeStarPaperOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_THREE_STAR_THREE_STAR_PAPER_BENCHMARK_H_

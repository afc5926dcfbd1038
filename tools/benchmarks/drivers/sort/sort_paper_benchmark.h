// SPDX-License-Identifier: Apache-2.0

// `bench sort-paper`: tables I to III of Lee, Lo, Chen, Chung and Chung, "GPU Performance
// Enhancement via Communication Cost Reduction", 2012: radix sort as it was (original) and with
// output that overlaps sorting (modified).
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_PAPER_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_PAPER_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct SortPaperOptions {
  std::string device;
  double seconds = 2;      // For each contest.
  std::size_t most = 0;    // The largest count; 0: the paper's 1e8, or 1e4 on a simulated device.
  std::string csv = {};    // A file for the figures; may be empty.
  std::size_t rounds = 0;  // Least rounds of each contest; 0: 10, or 5 of large sorts.
};

// Sorts pairs of u32 keys and values between pinned memory and the device. Every output is checked.
// Throws Error where one is wrong, or the device has no memory of its own.
void benchmark_sort_paper(const SortPaperOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_PAPER_BENCHMARK_H_

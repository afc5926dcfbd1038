// SPDX-License-Identifier: Apache-2.0

// Measures calls over ranks by the number of ranks: strong and weak scaling on the machines of a
// launch.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_RANK_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_RANK_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct RankBenchmarkOptions {
  std::string device = "tbb";  // As --device of `millrace` under mpirun.
  double seconds = 2;          // For each job and number of ranks.
  std::size_t keys = 10'000'000;
  std::size_t points = 50'000;
  int pictures = 8;  // Number of pictures of 640x480.
};

// Collective over the world (runtime/ranks/world.h): runs each job on 1, 2, 4 ... ranks of it, and
// on all. Rank 0 prints the table. Throws Error on all ranks alike, with kInternal where a result
// is wrong.
void benchmark_ranks(const RankBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_RANK_BENCHMARK_H_

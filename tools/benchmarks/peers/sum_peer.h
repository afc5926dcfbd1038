// SPDX-License-Identifier: Apache-2.0

// The peers of tasks that do next to nothing: oneTBB's own algorithms, on all threads.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_SUM_PEER_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_SUM_PEER_H_

#include <cstdint>
#include <span>

namespace millrace::tools {

struct SumPeer {
  const char* name;
  std::int64_t (*sum)(std::span<const std::int64_t> values);  // Sums one value at least.
};

// The best that can be written by hand: a local sum for each piece of a tbb::parallel_for.
extern const SumPeer kParallelForSum;

// A task of a tbb::task_group for each value, all of which the calling thread makes.
extern const SumPeer kTaskGroupSum;

// The same, made by tasks that halve their range down to one value.
extern const SumPeer kHalvedTaskGroupSum;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_SUM_PEER_H_

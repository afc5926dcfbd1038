// SPDX-License-Identifier: Apache-2.0

// The peers of tasks with joins: a number of Fibonacci by a task for each call, without a cut-off,
// and N queens by a task for each placement down to one.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_

#include <cstdint>
#include <span>

namespace millrace::tools {

struct ForkJoinPeer {
  const char* name;
  // Both run on all threads.
  std::uint64_t (*fibonacci)(int n);
  std::uint64_t (*n_queens)(int queens, int cut_off);  // At most queens - 1 rows are tasks.
};

// oneTBB's task_group, and OpenMP's tasks if the compiler has them.
std::span<const ForkJoinPeer> fork_join_peers();

// Counts the solutions by the code of one leaf, without tasks.
std::uint64_t n_queens_on_one_thread(int queens);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_

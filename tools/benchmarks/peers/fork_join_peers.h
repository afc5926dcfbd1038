// SPDX-License-Identifier: Apache-2.0

// The peers of tasks with joins: a number of Fibonacci by a task for each call, without a cut-off.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_

#include <cstdint>
#include <span>

namespace millrace::tools {

struct ForkJoinPeer {
  const char* name;
  std::uint64_t (*fibonacci)(int n);  // On all threads.
};

// oneTBB's task_group, and OpenMP's tasks if the compiler has them.
std::span<const ForkJoinPeer> fork_join_peers();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_FORK_JOIN_PEERS_H_

// SPDX-License-Identifier: Apache-2.0

// The peers of merge sort by joins: other libraries' fork and join with the same steps.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_MERGE_SORT_PEERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_MERGE_SORT_PEERS_H_

#include <millrace/docs/examples/recursion/merge_sort_tasks.h>

#include <span>

namespace millrace::tools {

struct MergeSortPeer {
  const char* name;
  void (*sort)(const examples::MergeSortRange& range);  // Runs on all threads.
};

// oneTBB's parallel_invoke.
std::span<const MergeSortPeer> merge_sort_peers();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_MERGE_SORT_PEERS_H_

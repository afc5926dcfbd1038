// SPDX-License-Identifier: Apache-2.0

// Sorts a file on several ranks: each reads and sorts its portion, rank 0 writes.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_

#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_watch.h>

#include <ostream>

namespace millrace::tools {

// Collective. Like sort_file(), for a file that all ranks have opened. Rank 0 receives the result
// from each rank in order, in bounded messages, and writes it to `out`. A rank's portion is sorted
// in memory: throws kInvalidArgument if it takes more than options.memory_bytes. Throws the same
// error on all ranks.
SortFileReport sort_file_on_ranks(const DistributedQueue& ranks, const SortInput& input,
                                  const SortFileOptions& options, const SortPlan& plan,
                                  std::ostream* out, SortWatch& watch);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_

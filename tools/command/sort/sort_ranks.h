// SPDX-License-Identifier: Apache-2.0

// A file that ranks sort together: each reads and sorts its share, rank 0 writes.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_

#include <ostream>

#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_watch.h>

namespace millrace::tools {

// Collective. As sort_file(), of the file that all ranks have opened; `out` is written to on rank
// 0, from each rank in turn in bounded parts. A rank's share is sorted in memory: throws
// kInvalidArgument where it takes more than options.memory_bytes. Throws on all ranks alike.
SortFileReport sort_file_on_ranks(const DistributedQueue& ranks, const SortInput& input,
                                  const SortFileOptions& options, const SortPlan& plan,
                                  std::ostream* out, SortWatch& watch);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_RANKS_H_

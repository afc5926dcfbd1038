// SPDX-License-Identifier: Apache-2.0

// Merges the sorted runs of a file.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_MERGE_RUNS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_MERGE_RUNS_H_

#include <millrace/tools/command/sort/sort_records.h>
#include <millrace/tools/files/input/positioned_file.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::tools {

// A range of records in a file.
struct SortedRun {
  std::uint64_t first_byte = 0;
  std::uint64_t count = 0;
};

// Receives merged records, a block at a time; it may change them.
using BlockSink = std::function<void(std::span<std::byte>)>;

// Passes the records of all runs to `sink` in order; those of equal keys in the order of the runs.
// Uses up to `memory_bytes`, but at least a record for each run and one more. Throws Error(kIo),
// and what the sink throws.
void merge_runs(const PositionedFile& file, std::span<const SortedRun> runs,
                const RecordShape& shape, radix_sort::SortOrder order, std::size_t memory_bytes,
                const BlockSink& sink);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_MERGE_RUNS_H_

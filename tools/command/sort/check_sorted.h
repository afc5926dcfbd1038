// SPDX-License-Identifier: Apache-2.0

// Checks of a sorted file that share no code with the sort.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_CHECK_SORTED_H_
#define MILLRACE_TOOLS_COMMAND_SORT_CHECK_SORTED_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_npy.h>
#include <millrace/tools/command/sort/sort_watch.h>
#include <millrace/tools/files/input/positioned_file.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

// A file of elements behind a header of `first_byte` bytes.
struct SortedFile {
  const PositionedFile& file;
  std::uint64_t first_byte = 0;
  const NpyArray* array = nullptr;  // Keys are written as this array's elements; null: as keys.

  // Reads `count` keys, or records of `bytes` each, from the one numbered `first` on.
  void read(std::uint64_t first, std::size_t count, std::size_t bytes, std::byte* records) const;
};

// Number of times a check passes every record to SortWatch.
inline constexpr int kCheckPasses = 2;

// Throws Error(kInternal) unless the file has the input's records in order. Equal sums of 64-bit
// hashes are taken to mean equal records.
void check_sorted(const SortInput& input, radix_sort::SortOrder order, const SortedFile& sorted,
                  SortWatch& watch);

// Throws Error(kInternal) unless the file has the positions, of `index_bytes` (4 or 8) each, of the
// input's keys in order, with those of equal keys in ascending order. Keys that exceed
// `memory_bytes` are read one by one, which is slow.
void check_argsorted(const SortInput& input, radix_sort::SortOrder order, const SortedFile& sorted,
                     std::size_t index_bytes, std::size_t memory_bytes, SortWatch& watch);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_CHECK_SORTED_H_

// SPDX-License-Identifier: Apache-2.0

// The form in which a sort writes its result: what its name ends in, and what is sorted, decide.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_RESULT_FORM_H_
#define MILLRACE_TOOLS_COMMAND_SORT_RESULT_FORM_H_

#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_npy.h>
#include <millrace/tools/command/sort/sort_options.h>
#include <millrace/tools/command/sort/sort_watch.h>
#include <millrace/tools/tables/columns/column_writer.h>

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

// Records without a header, a .npy array, or a table of one column.
class ResultForm {
 public:
  // The arguments must outlive this object.
  ResultForm(const SortCommandOptions& options, const SortInput& input, const SortPlan& plan)
      : options_(options), input_(input), plan_(plan) {}

  // Returns the bytes that precede `count` records in the file.
  std::string header(std::uint64_t count) const;

  // Returns the array whose keys are written as narrow as they were read, or null.
  const NpyArray* narrow_array() const;

  // Returns the column, if the result is a table.
  std::optional<WrittenColumn> column() const;

  // Checks the result in the file `path`. Throws Error: kInternal if it is not the sorted input,
  // kIo, and kCancelled from the watch.
  void check(const std::string& path, SortWatch& watch) const;

 private:
  // Returns the type of an element as a .npy header has it.
  std::string element() const;

  const SortCommandOptions& options_;
  const SortInput& input_;
  const SortPlan& plan_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_RESULT_FORM_H_

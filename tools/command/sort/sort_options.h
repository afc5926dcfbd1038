// SPDX-License-Identifier: Apache-2.0

// The options of `millrace sort`.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_OPTIONS_H_

#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

struct SortCommandOptions {
  CommonOptions common;
  std::string file;
  std::string out;
  std::string device;  // Empty: default_device().
  SortInputOptions input;
  std::optional<std::string> bits;  // Empty: all bits of the keys.
  std::string temporary;            // Empty: temporary_folder().
  SortFileOptions sort;  // `memory_bytes` of 0 stands for a third of the process's limit.
  bool is_checked = false;
  bool is_unique = false;
  std::int64_t top = 0;  // 0: all.

  bool is_filtered() const { return is_unique || top > 0; }
};

// Adds the options to the subcommand. `options` must outlive it.
void add_sort_options(Command& command, SortCommandOptions& options);

// Finds the member of a .npz file and the bits of the keys. Throws Error(kInvalidArgument) for
// options that do not go together, and, unless `is_alone`, for those that are for one process.
void check_sort_options(SortCommandOptions& options, bool is_alone);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_OPTIONS_H_

// SPDX-License-Identifier: Apache-2.0

// The options of `millrace decode`.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_DECODE_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_DECODE_OPTIONS_H_

#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>

#include <string>
#include <vector>

namespace millrace::tools {

struct DecodeOptions {
  CommonOptions common;  // Only --frames, --json and --force are used.
  std::vector<std::string> streams;
  std::string sdp;
  std::string output;
  std::string device;  // Empty: the host's cores; of one stream the thread of the command.

  // Returns true if the output is a folder, which gets a file for each stream.
  bool has_folder() const;
};

// Adds the options to a subcommand. `options` must outlive it.
void add_decode_options(Command& command, DecodeOptions& options);

// Throws Error (kInvalidArgument) for options that do not go together.
void check_decode_options(const DecodeOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_DECODE_OPTIONS_H_

// SPDX-License-Identifier: Apache-2.0

// `millrace tune`: measures what the policies cost on a device, and keeps it for kAuto.
#ifndef MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

// Adds the subcommand, which runs when parsing meets it.
void add_tune_command(CLI::App& app);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_

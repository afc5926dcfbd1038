// SPDX-License-Identifier: Apache-2.0

// `millrace tune`: measures the costs of the policies on a device, and stores them for kAuto.
#ifndef MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen.
void add_tune_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DEVICES_TUNE_COMMAND_H_

// SPDX-License-Identifier: Apache-2.0

// `millrace completion`: prints the script that completes the command's words in a shell.
#ifndef MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand. Its script has all subcommands that `root` has when it runs.
void add_completion_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_COMMAND_H_

// SPDX-License-Identifier: Apache-2.0

// Subcommands that an algorithm's own folder adds to `millrace` when it is linked.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Registers a function that adds a subcommand to the command. Objects have static storage.
struct RegisterCommand {
  explicit RegisterCommand(void (*add)(Command& root));
};

// Adds all registered subcommands.
void add_registered_commands(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_

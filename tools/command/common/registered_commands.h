// SPDX-License-Identifier: Apache-2.0

// Subcommands that an algorithm's own folder adds to `millrace` when it is linked.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

// One object of static storage has `add` called with the command, to which it adds a subcommand.
struct RegisterCommand {
  explicit RegisterCommand(void (*add)(CLI::App& app));
};

void add_registered_commands(CLI::App& app);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_REGISTERED_COMMANDS_H_

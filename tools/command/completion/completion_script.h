// SPDX-License-Identifier: Apache-2.0

// Scripts by which shells complete the subcommands and options of a command.
#ifndef MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_SCRIPT_H_
#define MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_SCRIPT_H_

#include <millrace/tools/command/common/command_line.h>

#include <string>
#include <vector>

namespace millrace::tools {

enum class Shell { kBash, kZsh, kFish };

// Returns "bash", "zsh" and "fish".
std::vector<std::string> shell_names();

// Throws Error (kInvalidArgument) for a shell without a script, with the nearest name.
Shell parse_shell(const std::string& name);

// Returns the script, which has the choices of options as they are now, such as the devices of this
// machine.
std::string completion_script(const Command& root, Shell shell);

// Returns the first clause of a help text: up to a semicolon, a colon, a bracket or a full stop.
std::string first_clause(const std::string& help);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMPLETION_COMPLETION_SCRIPT_H_

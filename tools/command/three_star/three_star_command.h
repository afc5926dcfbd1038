// SPDX-License-Identifier: Apache-2.0

// `millrace three-star`: 3-stars of points, and relays that connect them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

// Adds the subcommand, which runs when `app` parses it. Interrupted by SIGINT or SIGTERM, it ends
// with CLI::RuntimeError(128 + signal) and leaves no file.
void add_three_star_command(CLI::App& app);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_

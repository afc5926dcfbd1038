// SPDX-License-Identifier: Apache-2.0

// `millrace three-star`: 3-stars of points, and relays that connect them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen. Interrupted by SIGINT or SIGTERM, it ends
// with ExitStatus(128 + signal) and leaves no file.
void add_three_star_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_COMMAND_H_

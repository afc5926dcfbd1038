// SPDX-License-Identifier: Apache-2.0

// `millrace me CLIP`: motion estimation of a clip, reported, written and drawn.
#ifndef MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen. Interrupted by SIGINT or SIGTERM, it ends
// with ExitStatus(128 + signal) after what is known of the complete frames is in place.
void add_me_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_

// SPDX-License-Identifier: Apache-2.0

// `millrace me CLIP`: motion estimation of a clip, reported, written and drawn.
#ifndef MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

// Adds the subcommand, which runs when `app` parses it. Interrupted by SIGINT or SIGTERM, it ends
// with CLI::RuntimeError(128 + signal) after what is known of the complete frames is in place.
void add_me_command(CLI::App& app);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_ME_COMMAND_H_

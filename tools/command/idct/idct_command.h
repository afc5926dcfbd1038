// SPDX-License-Identifier: Apache-2.0

// `millrace idct CLIP`: a real clip's macroblock queues through the inverse transform on every
// device under every policy.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen. Interrupted by SIGINT or SIGTERM, it ends
// with ExitStatus(128 + signal) after the complete frames are in place.
void add_idct_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_COMMAND_H_

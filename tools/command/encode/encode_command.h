// SPDX-License-Identifier: Apache-2.0

// `millrace encode CLIP -o OUT`: an H.264 stream of a clip.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen. Interrupted by SIGINT or SIGTERM, it ends with
// ExitStatus(128 + signal) after the complete groups of pictures are in place.
void add_encode_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_COMMAND_H_

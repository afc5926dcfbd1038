// SPDX-License-Identifier: Apache-2.0

// `millrace decode`: an H.264 stream to pictures.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_DECODE_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_DECODE_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

void add_decode_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_DECODE_COMMAND_H_

// SPDX-License-Identifier: Apache-2.0

// `millrace reproduce`: the tables and figures of three papers, measured on a device.
#ifndef MILLRACE_TOOLS_REPRODUCE_REPRODUCE_COMMAND_H_
#define MILLRACE_TOOLS_REPRODUCE_REPRODUCE_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand. Running it throws Error for bad input, before anything is measured.
void add_reproduce_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_REPRODUCE_COMMAND_H_

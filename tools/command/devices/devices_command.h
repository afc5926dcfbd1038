// SPDX-License-Identifier: Apache-2.0

// `millrace devices`: the linked backends and the devices that they find.
#ifndef MILLRACE_TOOLS_COMMAND_DEVICES_DEVICES_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_DEVICES_DEVICES_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen.
void add_devices_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DEVICES_DEVICES_COMMAND_H_

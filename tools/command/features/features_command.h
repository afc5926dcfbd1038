// SPDX-License-Identifier: Apache-2.0

// `millrace features`: features of the frames of H.264 streams.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand. Its status is 0, or 1 if a stream failed and others did not, 2 if all did.
void add_features_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_COMMAND_H_

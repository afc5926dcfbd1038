// SPDX-License-Identifier: Apache-2.0

// `millrace idct STREAM` with the stream's own queue.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_COMMAND_H_

#include <millrace/runtime/group/device_group.h>
#include <millrace/tools/command/idct/idct_options.h>

#include <vector>

namespace millrace::tools {

// Runs on one process, with at least one group. Interrupted by a signal, it throws ExitStatus(128 +
// signal) after the complete frames are in place. Throws what process_stream() throws.
void run_idct_stream(const IdctCommandOptions& options, std::vector<DeviceGroup> groups);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_COMMAND_H_

// SPDX-License-Identifier: Apache-2.0

// Reads many streams at a time, whose slices a device parses.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/stream_jobs.h>
#include <millrace/tools/command/features/stream_run.h>

namespace millrace::tools {

// Takes streams from `jobs` until none is left. Host threads read a piece of each open stream and
// parse headers, then the device parses and measures the pictures that have ended, and reconstructs
// them where `options` decodes. There are no consumers. Several threads may call it for one device.
// Throws what the output and the device throw.
void read_on_device(Device& device, StreamJobs& jobs, const StreamRunOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_

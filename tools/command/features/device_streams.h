// SPDX-License-Identifier: Apache-2.0

// Reads many streams at a time, whose slices a device parses.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/stream_jobs.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::tools {

// Takes streams from `jobs` until none is left. Host threads read a piece of each open stream and
// parse headers, then the device parses and measures the pictures that have ended, and reconstructs
// them where `options` decodes. There are no consumers. Streams that are followed are polled, and
// most_open() of them are read at a time; each picture that has ended is in the next run, or, where
// memory is short, in one of those after it, which begin with another stream each. Several threads
// may call it for one device. Returns the bytes of the frames of the streams, and adds what the
// device has done to the totals of `jobs`. Throws what the output and the device throw.
std::int64_t read_on_device(Device& device, StreamJobs& jobs, const StreamRunOptions& options,
                            const std::function<std::size_t()>& most_open);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_DEVICE_STREAMS_H_

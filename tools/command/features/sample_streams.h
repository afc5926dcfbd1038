// SPDX-License-Identifier: Apache-2.0

// Samples the streams of a run before it begins.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_SAMPLE_STREAMS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_SAMPLE_STREAMS_H_

#include <millrace/tools/command/features/choice/device_choice.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/video/h264/h264_input.h>

#include <cstdint>
#include <vector>

namespace millrace::tools {

// Returns the bytes of each file, 0 for what is no regular file or cannot be read.
std::vector<std::uintmax_t> bytes_of_streams(const std::vector<StreamName>& names);

// Orders the streams by `bytes`, which are those of bytes_of_streams(), the largest first; equal
// ones stay in order.
void sort_by_bytes(std::vector<StreamName>& names, const std::vector<std::uintmax_t>& bytes);

// Returns the load of the streams, whose bytes_of_streams() are `bytes`. Counts and bytes are those
// of all files. The others are of up to five files between the smallest and the largest, whose
// first 64 kB are parsed and measured on this thread; the streams of a capture count. Pipes are not
// opened. What cannot be read is left out, and a load whose samples have no picture has a
// core_seconds_a_byte of 0.
StreamLoad sample_streams(const std::vector<StreamName>& names,
                          const std::vector<std::uintmax_t>& bytes, const H264InputOptions& input);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_SAMPLE_STREAMS_H_

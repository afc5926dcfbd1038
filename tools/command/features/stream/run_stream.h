// SPDX-License-Identifier: Apache-2.0

// Measures the frames of one stream.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_RUN_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_RUN_STREAM_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/stream/picture_consumer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct StreamRunOptions {
  std::int64_t frames = 0;                       // Ends after so many; 0: at the end.
  std::vector<PictureConsumer*> consumers = {};  // Not owned.
  bool decodes = false;                          // Measures the decoded pictures as well.
  bool gives_frames = false;                     // With `decodes`: the output takes the pictures,
                                                 // which are not measured.
  bool is_followed = false;                      // Streams may grow; their sources poll.
  std::string reference = {};  // With `decodes`: the clip that frames are compared with; or "".
  QueueOptions queue = {};     // Options of a device's queues.
};

// Reads a stream to its end, or to a signal, and adds its frames to `output` in decoding order, but
// not its end, which is returned. A stream without a frame has failed, for the reason of its first
// fault; so has one that cannot be read on or compared with the reference. Throws what `output` and
// the consumers throw.
StreamEnd run_stream(h264::NalUnitSource& source, const StreamRunOptions& options,
                     StreamOutput& output);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_RUN_STREAM_H_

// SPDX-License-Identifier: Apache-2.0

// Decodes an H.264 stream whose luma is transformed on devices: the stream's own queue.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/idct/idct_contest.h>
#include <millrace/tools/command/idct/stream_features.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

struct IdctStreamOptions {
  std::string path;         // Messages show it.
  std::int64_t frames = 0;  // 0: all frames.
  std::vector<Policy> policies;
  // Pictures are parsed while others are reconstructed. The result is the same.
  bool has_thread = true;
};

struct IdctStreamResult {
  std::int64_t frames = 0;    // Taken, in output order.
  int signal = 0;             // The signal that ended the run.
  Y4mFormat format;           // The frames'.
  h264::LumaStatistics luma;  // The frames'.
  // Macroblocks of the frames that are copied from another picture.
  std::int64_t concealed_macroblocks = 0;
  h264::PictureDamage damage;  // The frames'.
  // All that was transformed: the runs' macroblocks are theirs. A frame is output some pictures
  // after it is decoded, so these are more than the frames that are wanted.
  std::int64_t transformed_pictures = 0;
  std::int64_t faults = 0;  // Until the last frame that is wanted.
  std::string first_fault;  // "" if there was none.
  std::vector<IdctRun> runs;
};

struct StreamFrame {
  StreamFeatures features;
  const Picture& picture;
  const Y4mFormat& format;
};
using TakeStreamFrame = std::function<void(const StreamFrame&)>;

// Transforms the queue of each picture, in decoding order, with every group under every policy,
// checks the residual against the reference transform, and adds it to the decoder's prediction.
// Calls `take` for each frame in output order. Stops at a signal. Throws Error: kUnsupported, with
// the tool's name, for pictures that are not parsed; kIo where the size changes, and what `source`
// throws; kInternal for a residual that differs.
IdctStreamResult process_stream(const IdctStreamOptions& options, std::vector<DeviceGroup> groups,
                                h264::NalUnitSource& source, const InterruptGuard& interrupt,
                                const TakeStreamFrame& take);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_STREAM_H_

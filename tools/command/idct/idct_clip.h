// SPDX-License-Identifier: Apache-2.0

// Coding, transform and quality of a clip: each rank has a band of rows, and rank 0 joins them.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CLIP_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CLIP_H_

#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/idct/idct_contest.h>
#include <millrace/tools/command/idct/picture/picture_features.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

struct IdctClipOptions {
  std::string path;  // Messages show it.
  int qp = 28;
  std::int64_t frames = 0;  // 0: all frames.
  std::vector<Policy> policies;
};

struct IdctClipResult {
  std::int64_t frames = 0;
  int signal = 0;            // Signal of the rank that ended the run; the same on all ranks.
  double squared_error = 0;  // Sum of the frames' means.
  idct::CodingStatistics luma;

  // Macroblocks and copies of all ranks, the seconds of the slowest; the same on all of them.
  std::vector<IdctRun> runs;
};

// Receives each frame once it is reconstructed.
using TakeFrame = std::function<void(const PictureFeatures&, const Picture& reconstruction)>;

// Collective. Every rank reads the clip itself and codes its band of each frame. A band refers to
// no other band of the frames before, because ranks would wait for each other at each frame. Stops
// at a signal to any rank. Rank 0 calls `take` in order and has the whole result; other ranks have
// that of their own band. Results are those of one rank to the bit. Throws the same error on all
// ranks, also if the ranks' clips differ in size or length.
IdctClipResult process_clip(Communicator& communicator, const IdctClipOptions& options,
                            std::vector<DeviceGroup> groups, VideoReader& reader,
                            const InterruptGuard& interrupt, const TakeFrame& take);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CLIP_H_

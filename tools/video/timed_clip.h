// SPDX-License-Identifier: Apache-2.0

// Clips of given times for tests, written and read by libavformat alone.
#ifndef MILLRACE_TOOLS_VIDEO_TIMED_CLIP_H_
#define MILLRACE_TOOLS_VIDEO_TIMED_CLIP_H_

#include <millrace/tools/video/picture/clip_format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct TimedClip {
  TimeBase clock = {1, 1000};
  std::vector<std::int64_t> times;  // When each frame is shown, rising.
  std::int64_t last_duration = 40;  // Duration of the last frame; others last until the next one.
  // Raw frames with a scene cut before each of these, rather than H.264 of MadeH264.
  std::vector<int> cuts = {};
  bool has_sound = false;  // A stream of silence, which begins at 0.
};

// Writes pictures of 64 x 48 to the container of the path's extension. Throws std::runtime_error.
void write_timed_clip(const std::string& path, const TimedClip& clip);

// Returns the times of the video's packets, in the order of the file, and their durations as far as
// the container has them. Throws std::runtime_error where a time is not a whole number of ticks of
// `clock`.
std::vector<PictureTime> packet_times(const std::string& path, const TimeBase& clock);

// Returns when each picture begins.
std::vector<std::int64_t> begins_of(const std::vector<PictureTime>& times);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_TIMED_CLIP_H_

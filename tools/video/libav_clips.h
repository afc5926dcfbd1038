// SPDX-License-Identifier: Apache-2.0

// Clips for tests that FFmpeg's libraries copy, encode and decode, where a test would otherwise run
// its command.
#ifndef MILLRACE_TOOLS_VIDEO_LIBAV_CLIPS_H_
#define MILLRACE_TOOLS_VIDEO_LIBAV_CLIPS_H_

#include <millrace/tools/video/picture/clip_format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace millrace::tools {

// Names and values as FFmpeg's libraries document them.
using LibavOptions = std::map<std::string, std::string>;

// Copies the packets of a byte stream of H.264 to the container of the output's extension, 25 a
// second. `options` are the muxer's. Throws std::runtime_error where libavformat fails.
void remux_h264(const std::string& stream, const std::string& output,
                const LibavOptions& options = {});

struct EncodedClip {
  std::string codec = "mpeg4";  // An encoder of libavcodec.
  int width = 0, height = 0;
  // Samples of 8-bit 4:2:0: luma, then both chroma planes.
  std::vector<std::string> frames = {};
  TimeBase clock = {1, 25};
  std::vector<std::int64_t> times = {};  // When each frame is shown, rising; none: a tick each.
  LibavOptions options = {};             // The encoder's.
};

// Writes the clip to the container of the path's extension. Throws std::runtime_error where the
// linked libraries have no such encoder, or fail.
void write_encoded_clip(const std::string& path, const EncodedClip& clip);

// Returns the samples of the first `most` pictures of 8-bit 4:2:0 in output order, cropped as the
// stream says, in the layout of EncodedClip::frames. Throws std::runtime_error where libavcodec
// fails.
std::vector<std::string> libav_pictures(const std::string& path,
                                        std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_LIBAV_CLIPS_H_

// SPDX-License-Identifier: Apache-2.0

// A picture on its way from the decoder to a VideoReader's caller.
#ifndef MILLRACE_TOOLS_VIDEO_READ_PICTURE_H_
#define MILLRACE_TOOLS_VIDEO_READ_PICTURE_H_

#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/picture.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace millrace::tools {

// Facts of a clip up to one of its pictures.
struct ClipFacts {
  ClipLosses losses;
  std::int64_t empty_samples = 0;
  std::string irregular;  // See FrameSource::irregular() and truncated().
  std::string truncated;
};

struct ReadPicture {
  Picture picture;
  ClipFacts facts;
  PictureTime time;                             // See FrameSource::frame_time().
  std::chrono::steady_clock::time_point begin;  // Begin of its decoding.
  std::chrono::steady_clock::time_point end;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_READ_PICTURE_H_

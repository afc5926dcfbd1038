// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_RATE_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_RATE_H_

namespace millrace::tools {

// Frames per second as a fraction, such as 30000/1001.
struct FrameRate {
  int numerator = 25;
  int denominator = 1;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_RATE_H_

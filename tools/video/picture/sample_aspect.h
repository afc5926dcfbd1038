// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_SAMPLE_ASPECT_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_SAMPLE_ASPECT_H_

namespace millrace::tools {

// Width to height of a sample as it is shown, such as 16:11. 0:0 is unknown.
struct SampleAspect {
  int numerator = 0;
  int denominator = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_SAMPLE_ASPECT_H_

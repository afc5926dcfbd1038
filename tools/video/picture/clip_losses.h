// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_LOSSES_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_LOSSES_H_

#include <cstdint>

namespace millrace::tools {

// Pictures missing from a coded stream, and pictures damaged by that. They are counted as far as
// the stream shows them, up to the frame that was decoded last.
struct ClipLosses {
  // Pictures that the stream has lost, and pictures in it that cannot be decoded because nothing
  // that they refer to is there.
  std::int64_t lost = 0;

  // Decoded pictures between a loss and the next key picture: the decoder made up what they refer
  // to.
  std::int64_t concealed = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_LOSSES_H_

// SPDX-License-Identifier: Apache-2.0

// Number of threads by which FFmpeg may decode a clip.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_FRAME_THREADS_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_FRAME_THREADS_H_

#include <millrace/tools/video/decoder/libav.h>

namespace millrace::tools {

// Returns how many of `most` threads may decode a frame each: 1 if DoubtWatch might miss damage
// that one thread finds. The context has the stream's parameters.
int frame_threads(const AVCodecContext& context, int most);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_FRAME_THREADS_H_

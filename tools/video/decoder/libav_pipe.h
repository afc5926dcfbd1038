// SPDX-License-Identifier: Apache-2.0

// Lets FFmpeg's demuxers read an input that cannot be opened again by its name, such as a pipe.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_PIPE_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_PIPE_H_

#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/decoder/libav.h>

namespace millrace::tools {

// Returns a context that reads `input` from its beginning to its end and does not seek. `input`
// must outlive it. A read ends with AVERROR_EXIT once a signal has interrupted the process, with
// EIO if the input fails otherwise. Throws Error: kOutOfMemory.
LibavPointer<AVIOContext> open_pipe(ClipInput& input);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_PIPE_H_

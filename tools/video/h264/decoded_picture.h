// SPDX-License-Identifier: Apache-2.0

// Frames of algorithms/h264 as pictures of tools/video.
#ifndef MILLRACE_TOOLS_VIDEO_H264_DECODED_PICTURE_H_
#define MILLRACE_TOOLS_VIDEO_H264_DECODED_PICTURE_H_

#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

namespace millrace::tools {

// Returns the format of a stream's frames as they are shown. The rate is that of VUI, 25/1 where
// there is none.
Y4mFormat y4m_format_of(const h264::SequenceParameters& sequence);

// Copies the samples that are shown into `picture`, resized and padded.
void copy_frame(const h264::DecodedFrame& frame, Picture& picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_DECODED_PICTURE_H_

// SPDX-License-Identifier: Apache-2.0

// Pictures of tools/video as the encoder's, and back.
#ifndef MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_
#define MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_

#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Returns the size at which a clip of that size is coded: the least even number from it on, as
// 4:2:0 pictures are cropped by two samples at a time.
constexpr int coded_size(int size) { return (size + 1) / 2 * 2; }

// Copies the picture, padding too, which has as many macroblocks as `samples`.
void copy_samples(const Picture& picture, h264::SamplePicture& samples);

// Copies the left top samples into `picture`, as many as are visible there, and pads it.
void copy_samples(const h264::SamplePicture& samples, Picture& picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_

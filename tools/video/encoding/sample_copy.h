// SPDX-License-Identifier: Apache-2.0

// Copies samples between the pictures of tools/video and those of the encoder.
#ifndef MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_
#define MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_

#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Returns the width or height at which a clip is coded: `size` rounded up to an even number,
// because 4:2:0 pictures are cropped in units of two samples.
constexpr int coded_size(int size) { return (size + 1) / 2 * 2; }

// Copies the picture with its padding. `samples` must have the same number of macroblocks.
void copy_samples(const Picture& picture, h264::SamplePicture& samples);

// Copies the top left samples that are visible in `picture`, and pads it.
void copy_samples(const h264::SamplePicture& samples, Picture& picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_ENCODING_SAMPLE_COPY_H_

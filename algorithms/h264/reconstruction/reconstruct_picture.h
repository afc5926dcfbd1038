// SPDX-License-Identifier: Apache-2.0

// Reconstructs the samples of a parsed picture: prediction, residual, deblocking (ITU-T H.264
// clauses 8.3 to 8.7).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_PICTURE_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <cstdint>
#include <functional>

namespace millrace::h264 {

// Returns the samples of an earlier picture by ParsedPicture::id, or null if it is missing.
using FindPicture = std::function<const SamplePicture*(std::int64_t id)>;

// Reconstructs `picture` into `output`, which must have its size. A missing reference is replaced
// by the nearest one in its list that is not missing; kLost macroblocks are copied from the first
// such reference. If all are missing, the previous picture in decoding order is used instead, or
// grey (128) if there is none.
void reconstruct_picture(const ParsedPicture& picture, const FindPicture& find,
                         SamplePicture& output);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_PICTURE_H_

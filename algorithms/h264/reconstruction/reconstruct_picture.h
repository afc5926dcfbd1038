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

// Returns the samples of an earlier picture by ParsedPicture::id, or null where it is missing.
using FindPicture = std::function<const SamplePicture*(std::int64_t id)>;

// Reconstructs `picture` into `output`, which has its size. A reference that is missing is replaced
// by the nearest one of its list that is there, and kLost macroblocks are copied from the first
// reference that is. Where there is none, it is replaced by the picture before in decoding order,
// or by grey (128).
void reconstruct_picture(const ParsedPicture& picture, const FindPicture& find,
                         SamplePicture& output);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_PICTURE_H_

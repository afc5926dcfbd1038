// SPDX-License-Identifier: Apache-2.0

// Reconstructs a parsed picture whose luma was transformed elsewhere, such as on a device.
#ifndef MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_FROM_RESIDUAL_H_
#define MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_FROM_RESIDUAL_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <cstdint>
#include <span>

namespace millrace::h264 {

// Does the same as reconstruct_picture(), but takes the residual of luma instead of transforming
// its coefficients. `residual` has 256 samples for each macroblock that append_luma() appends, in
// that order. Throws Error (kInvalidArgument) for another number of samples. The output is that of
// the standard if the residual is.
void reconstruct_from_residual(const ParsedPicture& picture, const FindPicture& find,
                               std::span<const std::int16_t> residual, SamplePicture& output);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_FROM_RESIDUAL_H_

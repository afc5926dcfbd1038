// SPDX-License-Identifier: Apache-2.0

// The loops of reconstruct_from_residual() by the vectors of the CPU.
#ifndef MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_RESIDUAL_SIMD_H_
#define MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_RESIDUAL_SIMD_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>

#include <cstdint>
#include <span>

namespace millrace::h264 {

// Reconstructs `picture`, of which `view` is a view, with a residual as reconstruct_from_residual()
// takes it, whose length is right.
void reconstruct_residual_simd(const ParsedPicture& picture, std::span<const std::int16_t> residual,
                               const PictureView& view);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_QUEUE_RECONSTRUCT_RESIDUAL_SIMD_H_

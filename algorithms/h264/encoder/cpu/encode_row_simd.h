// SPDX-License-Identifier: Apache-2.0

// Encodes rows of pictures by the vectors of the CPU.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_ROW_SIMD_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_ROW_SIMD_H_

#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_progress.h>

namespace millrace::h264 {

// Has the contract and the result of encode_row().
void encode_row_simd(const PictureCoding& coding, PictureProgress& progress, int row);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_ROW_SIMD_H_

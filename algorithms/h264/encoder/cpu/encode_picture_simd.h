// SPDX-License-Identifier: Apache-2.0

// Encodes pictures by the vectors of the CPU.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_PICTURE_SIMD_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_PICTURE_SIMD_H_

#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>

namespace millrace::h264 {

// Does as encode_view(), with the same result.
void encode_picture_simd(const PictureCoding& coding);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_ENCODE_PICTURE_SIMD_H_

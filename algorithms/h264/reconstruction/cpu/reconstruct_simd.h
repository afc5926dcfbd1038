// SPDX-License-Identifier: Apache-2.0

// reconstruct_picture() by the vectors of the CPU.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RECONSTRUCT_SIMD_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RECONSTRUCT_SIMD_H_

#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>

namespace millrace::h264 {

// Does the same as reconstruct_picture(). The samples are equal to the bit.
void reconstruct_picture_simd(const ParsedPicture& picture, const FindPicture& find,
                              SamplePicture& output);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_RECONSTRUCT_SIMD_H_

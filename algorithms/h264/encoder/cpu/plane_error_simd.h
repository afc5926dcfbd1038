// SPDX-License-Identifier: Apache-2.0

// Squared differences of whole planes by the vectors of the CPU.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_PLANE_ERROR_SIMD_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_PLANE_ERROR_SIMD_H_

#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>

#include <cstdint>

namespace millrace::h264 {

// Returns the sum of squared differences of two planes. Width and height are at most 4096.
std::uint64_t plane_error_simd(SampleRows a, SampleRows b, int width, int height);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_PLANE_ERROR_SIMD_H_

// SPDX-License-Identifier: Apache-2.0

// Sample aspect ratios that have a number (ITU-T H.264 Table E-1).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_SAMPLE_ASPECT_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_SAMPLE_ASPECT_H_

#include <cstdint>

namespace millrace::h264 {

// Width and height by aspect_ratio_idc; 0: unspecified.
inline constexpr std::uint8_t kSampleAspects[][2] = {
    {0, 0},   {1, 1},   {12, 11}, {10, 11}, {16, 11},  {40, 33}, {24, 11}, {20, 11}, {32, 11},
    {80, 33}, {18, 11}, {15, 11}, {64, 33}, {160, 99}, {4, 3},   {3, 2},   {2, 1}};

// aspect_ratio_idc of a ratio that is coded as two numbers.
inline constexpr int kExtendedSampleAspect = 255;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_SAMPLE_ASPECT_H_

// SPDX-License-Identifier: Apache-2.0

// The coded form of one picture of a group.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CODED_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CODED_PICTURE_H_

#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <vector>

namespace millrace::h264 {

struct CodedPicture {
  SliceType type = SliceType::kI;
  int qp = 0;
  std::vector<std::uint8_t> bytes;  // Annex B.
  std::uint64_t squared_errors[3] = {};
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CODED_PICTURE_H_

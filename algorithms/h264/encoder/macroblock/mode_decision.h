// SPDX-License-Identifier: Apache-2.0

// Criteria by which the mode of a macroblock is chosen.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MODE_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MODE_DECISION_H_

#include <cstdint>

namespace millrace::h264 {

// kCost compares SATD and the bits of vectors and modes. kRateDistortion compares the squared error
// and all bits of each candidate.
enum class ModeDecision : std::uint8_t { kCost, kRateDistortion };

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MODE_DECISION_H_

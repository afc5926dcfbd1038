// SPDX-License-Identifier: Apache-2.0

// One way of coding a macroblock.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_

#include <millrace/algorithms/h264/encoder/macroblock/sample_area.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>

#include <cstdint>

namespace millrace::h264 {

struct MacroblockCandidate {
  Macroblock macroblock;
  SampleArea area;  // Its prediction, and later its reconstruction.
  MacroblockLevels levels;
  alignas(16) MacroblockCoefficients coefficients;  // Coefficients that the levels code.
  std::int16_t luma_dc[16];  // DC of the transformed 4x4 blocks: kIntra16x16 alone.
  std::int16_t chroma_dc[2][4];
  std::uint32_t cost;  // Estimated by SATD.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_

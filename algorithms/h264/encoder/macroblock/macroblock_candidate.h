// SPDX-License-Identifier: Apache-2.0

// One way of coding a macroblock.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_

#include <millrace/algorithms/h264/encoder/macroblock/sample_area.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>
#include <cstring>

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

// Copies the levels that a macroblock codes; the others have no values (MacroblockLevels).
MILLRACE_FUNCTION inline void copy_coded_levels(const Macroblock& macroblock,
                                                const MacroblockLevels& from,
                                                MacroblockLevels& to) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((macroblock.coded_block_pattern >> quarter & 1) == 0) continue;
    memcpy(to.luma[quarter], from.luma[quarter], sizeof(to.luma[quarter]));
  }
  if (macroblock.type == MacroblockType::kIntra16x16) {
    memcpy(to.luma_dc, from.luma_dc, sizeof(to.luma_dc));
  }
  const int chroma = macroblock.coded_block_pattern >> 4;
  if (chroma != 0) memcpy(to.chroma_dc, from.chroma_dc, sizeof(to.chroma_dc));
  if (chroma == 2) memcpy(to.chroma_ac, from.chroma_ac, sizeof(to.chroma_ac));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_MACROBLOCK_CANDIDATE_H_

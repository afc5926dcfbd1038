// SPDX-License-Identifier: Apache-2.0

// A macroblock that is coded as its samples.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PCM_CANDIDATE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PCM_CANDIDATE_H_

#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Profiles without 8x8 transforms limit CAVLC's level_prefix to 15, and so a level to 2063 (clause
// 9.2.2.1). has_large_level() returns true if a level of DC may be larger. Other levels never are,
// and from this QP on none is.
inline constexpr int kFirstQpWithoutLargeLevel = 12;
MILLRACE_FUNCTION inline bool has_large_level(const Macroblock& macroblock,
                                              const MacroblockLevels& levels) {
  constexpr int kMost = 2000;
  const auto is_large = [](int level) { return level > kMost || level < -kMost; };
  bool result = false;
  // Levels that are not coded have no values.
  for (int i = 0; i < 8 && macroblock.coded_block_pattern >> 4 != 0; ++i) {
    result = result || is_large(levels.chroma_dc[i / 4][i % 4]);
  }
  if (macroblock.type != MacroblockType::kIntra16x16) return result;
  for (const std::int16_t level : levels.luma_dc) result = result || is_large(level);
  return result;
}

// Writes a kPcm candidate of a macroblock; `empty` has its slice and QP.
MILLRACE_FUNCTION inline void make_pcm_candidate(const PictureCoding& coding, int column, int row,
                                                 const Macroblock& empty,
                                                 MacroblockCandidate& candidate) {
  candidate.macroblock = empty;
  candidate.macroblock.type = MacroblockType::kPcm;
  candidate.macroblock.coded_block_pattern = 0x2f;
  candidate.macroblock.coded_blocks = 0xffffff;
  for (int plane = 0; plane < 3; ++plane) {
    const int side = plane == 0 ? 16 : 8;
    const SampleRows source = coding.source_rows(plane, column, row);
    std::int16_t* const levels =
        plane == 0 ? &candidate.levels.luma[0][0] : &candidate.levels.chroma_ac[plane - 1][0][0];
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const std::uint8_t sample = source.samples[y * source.stride + x];
        levels[side * y + x] = sample;
        candidate.area.samples(plane)[y * SampleArea::kStride + x] = sample;
      }
    }
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PCM_CANDIDATE_H_

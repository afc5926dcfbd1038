// SPDX-License-Identifier: Apache-2.0

// An upper bound of a macroblock's bits, by lanes: most macroblocks are so far below the limit of
// Annex A that their bits need not be counted.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_CAVLC_BOUND_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_CAVLC_BOUND_H_

#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Bounds of codes of CAVLC with levels of at most 2000 (clause 9.2).
struct CavlcBound {
  // Counts coeff_token, total_zeros, and the bits above 3 that a run longer than 6 has.
  static constexpr std::uint32_t kBlock = 34;
  // Returns the most bits of a level with the run before it. A level of up to 7 has a prefix of
  // |level| + 1 bits or a suffix of 6; none has more than 28.
  MILLRACE_FUNCTION static constexpr std::uint32_t of_level(int level) {
    const int size = level < 0 ? -level : level;
    return size == 0 ? 0 : size <= 7 ? static_cast<std::uint32_t>(size) + 10 : 38;
  }
  static constexpr std::uint32_t kHeader = 192;  // Up to the residual, without vectors.
  static constexpr std::uint32_t kVector = 64;   // A vector and its bits of the type.
};

// Returns an upper bound of the CAVLC bits of the macroblock in memory. Sets the numbers of
// coefficients of its border, which are all that CAVLC reads of a border.
template <class Lanes>
MILLRACE_FUNCTION std::uint32_t bound_bits(const LaneSteps<Lanes>& steps, CodedBorder& border) {
  LaneMemory& memory = steps.memory;
  const Macroblock& macroblock = memory.macroblock;
  const int pattern = macroblock.coded_block_pattern;
  const bool is_whole = macroblock.type == MacroblockType::kIntra16x16;
  constexpr int kBlocks = 27;  // 16 of luma, 8 of chroma, then DC of luma, Cb and Cr.
  steps.sync();
  steps.for_each(kBlocks, [&](int i) {
    const std::int16_t* levels = nullptr;
    int first = 0;
    int count = 16;
    bool is_coded;
    if (i < 16) {
      levels = block_levels(memory.levels, i);
      first = is_whole ? 1 : 0;
      is_coded = (pattern >> (2 * (i / 8) + i % 4 / 2) & 1) != 0;
    } else if (i < 24) {
      levels = memory.levels.chroma_ac[(i - 16) / 4][i % 4];
      first = 1;
      is_coded = pattern >> 4 == 2;
    } else if (i == 24) {
      levels = memory.levels.luma_dc;
      is_coded = is_whole;
    } else {
      levels = memory.levels.chroma_dc[i - 25];
      count = 4;
      is_coded = pattern >> 4 != 0;
    }
    std::uint32_t bound = 0;
    int total = 0;
    if (is_coded) {
      bound = CavlcBound::kBlock;
      MILLRACE_SMALL_LOOP
      for (int k = first; k < count; ++k) {
        bound += CavlcBound::of_level(levels[k]);
        total += levels[k] != 0 ? 1 : 0;
      }
    }
    memory.results[i] = bound;
    memory.sums[i] = total;
  });
  steps.sync();
  std::uint32_t bound = CavlcBound::kHeader + steps.sum_of_results(0, kBlocks);
  const bool is_inter = !is_intra(macroblock.type);
  if (is_inter) {
    const bool is_split = macroblock.type == MacroblockType::kInter8x8;
    bound += CavlcBound::kVector * (is_split ? 16 : 2);
  }
  const auto count_at = [&memory](int i) { return static_cast<std::uint8_t>(memory.sums[i]); };
  steps.for_each(4, [&](int i) {
    border.bottom.luma[i] = count_at(12 + i);
    border.right.luma[i] = count_at(4 * i + 3);
    border.bottom.chroma[i / 2][i % 2] = count_at(16 + 4 * (i / 2) + 2 + i % 2);
    border.right.chroma[i / 2][i % 2] = count_at(16 + 4 * (i / 2) + 2 * (i % 2) + 1);
  });
  return bound;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_CAVLC_BOUND_H_

// SPDX-License-Identifier: Apache-2.0

// Derives ctxIdxInc of syntax elements from the macroblocks around (ITU-T H.264 clause 9.3.3.1.1).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CONTEXT_INCREMENTS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CONTEXT_INCREMENTS_H_

#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Returns ctxIdxInc of mb_skip_flag.
MILLRACE_FUNCTION inline int skip_increment(const Neighbours& around) {
  return (around.left != nullptr && around.left->type != MacroblockType::kSkip ? 1 : 0) +
         (around.above != nullptr && around.above->type != MacroblockType::kSkip ? 1 : 0);
}

// Returns what a neighbour adds to ctxIdxInc of mb_type in I slices.
MILLRACE_FUNCTION inline int intra_type_increment(const Macroblock* neighbour) {
  return neighbour != nullptr && neighbour->type != MacroblockType::kIntra4x4 &&
                 neighbour->type != MacroblockType::kIntra8x8
             ? 1
             : 0;
}

// Returns ctxIdxInc of intra_chroma_pred_mode.
MILLRACE_FUNCTION inline int chroma_mode_increment(const Neighbours& around) {
  return (around.left != nullptr && around.left->intra_chroma_mode != 0 ? 1 : 0) +
         (around.above != nullptr && around.above->intra_chroma_mode != 0 ? 1 : 0);
}

// Returns ctxIdxInc of transform_size_8x8_flag.
MILLRACE_FUNCTION inline int transform_increment(const Neighbours& around) {
  return (around.left != nullptr && around.left->has_8x8_transform ? 1 : 0) +
         (around.above != nullptr && around.above->has_8x8_transform ? 1 : 0);
}

// Returns ctxIdxInc of the bin of coded_block_pattern for 8x8 block `quarter`. `luma` has the bits
// of the blocks before it.
MILLRACE_FUNCTION inline int luma_pattern_increment(const Neighbours& around, int luma,
                                                    int quarter) {
  // A neighbour counts where its block is not coded.
  const int left = (quarter & 1) != 0       ? ~luma >> (quarter - 1)
                   : around.left != nullptr ? ~around.left->coded_block_pattern >> (quarter + 1)
                                            : 0;
  const int above = (quarter & 2) != 0        ? ~luma >> (quarter - 2)
                    : around.above != nullptr ? ~around.above->coded_block_pattern >> (quarter + 2)
                                              : 0;
  return (left & 1) + 2 * (above & 1);
}

// ctxIdxInc of the first and of the second bin of chroma in coded_block_pattern.
struct ChromaPatternIncrements {
  int first;
  int second;
};

MILLRACE_FUNCTION inline ChromaPatternIncrements chroma_pattern_increments(
    const Neighbours& around) {
  const int left = around.left != nullptr ? around.left->coded_block_pattern >> 4 : 0;
  const int above = around.above != nullptr ? around.above->coded_block_pattern >> 4 : 0;
  return {(left != 0 ? 1 : 0) + (above != 0 ? 2 : 0), (left == 2 ? 1 : 0) + (above == 2 ? 2 : 0)};
}

// Returns ctxIdxInc of ref_idx of the partition with block (x, y) first.
MILLRACE_FUNCTION inline int reference_increment(int list, const Neighbours& around, int x, int y) {
  const auto is_above_zero = [list](const BlockOf& block) {
    if (block.macroblock == nullptr) {
      return 0;
    }
    const int quarter = block.block_8x8();
    return block.macroblock->references[list][quarter] > 0 &&
                   block.macroblock->sub_partitions[quarter] != SubPartition::kDirect
               ? 1
               : 0;
  };
  return is_above_zero(around.left_of(x, y)) + 2 * is_above_zero(around.above_of(x, y));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CONTEXT_INCREMENTS_H_

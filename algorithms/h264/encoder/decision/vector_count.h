// SPDX-License-Identifier: Apache-2.0

// The number of vectors that a macroblock has, which levels limit (Annex A of ITU-T H.264).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_COUNT_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_COUNT_H_

#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

MILLRACE_FUNCTION inline int vectors_of(const Macroblock& macroblock) {
  switch (macroblock.type) {
    case MacroblockType::kInter16x16:
    case MacroblockType::kSkip: return 1;
    case MacroblockType::kInter16x8:
    case MacroblockType::kInter8x16: return 2;
    case MacroblockType::kInter8x8: break;
    default: return 0;
  }
  int count = 0;
  for (const SubPartition partition : macroblock.sub_partitions) {
    count += partition == SubPartition::k8x8 ? 1 : partition == SubPartition::k4x4 ? 4 : 2;
  }
  return count;
}

// Returns the vector limit of this macroblock, which is at least 4. Annex A limits two consecutive
// macroblocks together, so the previous one's count is subtracted; it must be encoded before. The
// first and the last macroblock of a row may have half of the limit each, so rows are independent.
MILLRACE_FUNCTION inline int most_vectors(const PictureCoding& coding, int column, int row) {
  constexpr int kLeastVectors = 4;
  const int limit = coding.limits.most_in_two;
  if (column == 0) return limit / 2;
  // The next macroblock can still have kLeastVectors.
  const bool is_last = column + 1 == coding.view.columns;
  const int most = is_last ? limit / 2 : limit - kLeastVectors;
  const int left = limit - vectors_of(coding.macroblocks[coding.view.index(column, row) - 1]);
  return left < most ? left : most;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_COUNT_H_

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

// Returns how many vectors a macroblock may have, at least 4. Levels limit those of two that follow
// each other; the last one of a row and the first one of the next have half each. The one before it
// is encoded.
MILLRACE_FUNCTION inline int most_vectors(const PictureCoding& coding, int column, int row) {
  constexpr int kLeastVectors = 4;
  const int limit = coding.limits.most_in_two;
  if (column == 0) return limit / 2;
  // Leaves 4 for the next one.
  const bool is_last = column + 1 == coding.view.columns;
  const int most = is_last ? limit / 2 : limit - kLeastVectors;
  const int left = limit - vectors_of(coding.macroblocks[coding.view.index(column, row) - 1]);
  return left < most ? left : most;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_COUNT_H_

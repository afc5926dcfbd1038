// SPDX-License-Identifier: Apache-2.0

// Finds the neighbours of a block that intra prediction may use (ITU-T H.264 clauses 6.4.9 to
// 6.4.12 and 8.3.1.2).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_AVAILABILITY_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_AVAILABILITY_H_

#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Returns the neighbours of macroblock (column, row) that are of its slice and, under constrained
// intra prediction, intra themselves.
MILLRACE_FUNCTION inline IntraAvailability macroblock_availability(const PictureView& picture,
                                                                   int column, int row) {
  const Macroblock& current = picture.macroblocks[picture.index(column, row)];
  const bool is_constrained = picture.slices[current.slice].has_constrained_intra_prediction;
  const auto is_available = [&](int x, int y) {
    if (x < 0 || x >= picture.columns || y < 0) return false;
    const Macroblock& neighbour = picture.macroblocks[picture.index(x, y)];
    return neighbour.type != MacroblockType::kLost && neighbour.slice == current.slice &&
           (!is_constrained || is_intra(neighbour.type));
  };
  IntraAvailability available;
  available.left = is_available(column - 1, row);
  available.top = is_available(column, row - 1);
  available.top_left = is_available(column - 1, row - 1);
  available.top_right = is_available(column + 1, row - 1);
  return available;
}

// Returns the neighbours of block (x, y) of the n x n blocks of a macroblock, which are
// reconstructed in the order of Figure 6-10: a block to the upper right that is a later one is not
// available.
template <int n>
MILLRACE_FUNCTION constexpr IntraAvailability block_availability(
    const IntraAvailability& macroblock, int x, int y) {
  constexpr int kLast = 16 / n - 1;
  IntraAvailability available;
  available.left = x > 0 || macroblock.left;
  available.top = y > 0 || macroblock.top;
  available.top_left = x > 0   ? (y > 0 || macroblock.top)
                       : y > 0 ? macroblock.left
                               : macroblock.top_left;
  if (y == 0) {
    available.top_right = x < kLast ? macroblock.top : macroblock.top_right;
  } else {
    const bool is_later = x % 2 == 1 && (y % 2 == 1 || x == kLast);
    available.top_right = !is_later;
  }
  return available;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_AVAILABILITY_H_

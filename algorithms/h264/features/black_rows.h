// SPDX-License-Identifier: Apache-2.0

// Rows of macroblocks at the top and bottom of a picture that show nothing, as ITU-T P.1204.3 finds
// them in intra pictures.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_

#include <millrace/algorithms/h264/features/picture_sums.h>

#include <span>

namespace millrace::h264 {

// Returns the number of black rows of macroblocks at the top, which is also the number at the
// bottom. A macroblock is empty if it is intra and has no coefficients; the first one of the
// picture never counts as empty. Row i from the top and row i from the bottom are black if at least
// 80 % of their macroblocks, counted together, are empty and all rows outside of them are black.
// Returns 0 if half of the picture or more would be black, and for an empty picture. `width` is the
// number of macroblocks in a row.
int count_black_rows(std::span<const MacroblockRowSums> rows, int width);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_

// SPDX-License-Identifier: Apache-2.0

// Rows of macroblocks at the top and bottom of a picture that show nothing, as ITU-T P.1204.3 finds
// them in intra pictures.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_

#include <millrace/algorithms/h264/features/picture_sums.h>

#include <span>

namespace millrace::h264 {

// Returns the number of rows of macroblocks at the top that are black, which is that at the bottom
// as well. A macroblock is empty if it is intra and has no coefficients; the first one of the
// picture never is. Rows i from the top and from the bottom are black if together at least 80 % of
// both are empty, and so are those outside of them. 0 where half the picture or more would be
// black, and for a picture of no size.
// `width` is the number of macroblocks in a row.
int count_black_rows(std::span<const MacroblockRowSums> rows, int width);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_BLACK_ROWS_H_

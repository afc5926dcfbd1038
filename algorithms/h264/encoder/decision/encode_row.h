// SPDX-License-Identifier: Apache-2.0

// Encodes one row of macroblocks while other threads encode the rows above and below.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_ENCODE_ROW_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_ENCODE_ROW_H_

#include <millrace/algorithms/h264/encoder/decision/macroblock_encoder.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_progress.h>
#include <millrace/algorithms/h264/reconstruction/deblocking.h>

#include <algorithm>

namespace millrace::h264 {

// Encodes row `row`. Rows are begun in order, each by one thread. A macroblock waits for its upper
// right neighbour. Deblocking is one row behind, as in reconstruct_view(): the thread of a row
// deblocks the row above, once all earlier rows are deblocked.
template <class Kernels>
void encode_row(const PictureCoding& coding, PictureProgress& progress, int row) {
  const Kernels kernels;
  EncoderMemory memory;
  const PictureView& view = coding.view;
  for (int column = 0; column < view.columns; ++column) {
    if (row > 0) progress.wait_for_columns(row - 1, std::min(column + 2, view.columns));
    MacroblockEncoder<Kernels>(kernels, coding, column, row, memory)();
    progress.set_columns(row, column + 1);
  }
  const auto deblock = [&](int of) {
    progress.wait_for_deblocked(of);
    for (int column = 0; column < view.columns; ++column) {
      deblock_macroblock(kernels, view, column, of);
    }
    progress.set_deblocked(of + 1);
  };
  if (row > 0) deblock(row - 1);
  if (row + 1 == view.rows) deblock(row);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_ENCODE_ROW_H_

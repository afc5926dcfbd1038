// SPDX-License-Identifier: Apache-2.0

// Encodes a whole picture on one thread.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODE_VIEW_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODE_VIEW_H_

#include <millrace/algorithms/h264/encoder/macroblock/macroblock_encoder.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/reconstruction/deblocking.h>

namespace millrace::h264 {

// Deblocking is one row behind, as in reconstruct_view().
template <class Kernels>
void encode_view(const PictureCoding& coding) {
  const Kernels kernels;
  EncoderMemory memory;
  const PictureView& view = coding.view;
  for (int row = 0; row <= view.rows; ++row) {
    for (int column = 0; row < view.rows && column < view.columns; ++column) {
      MacroblockEncoder<Kernels>(kernels, coding, column, row, memory)();
    }
    for (int column = 0; row > 0 && column < view.columns; ++column) {
      deblock_macroblock(kernels, view, column, row - 1);
    }
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODE_VIEW_H_

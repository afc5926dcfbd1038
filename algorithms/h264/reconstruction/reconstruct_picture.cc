// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/deblocking.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_macroblock.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

namespace millrace::h264 {

// Deblocking is one row behind prediction: intra prediction of the row below reads samples that are
// not deblocked yet, and the samples of a row are still in the cache.
void reconstruct_picture(const ParsedPicture& picture, const FindPicture& find,
                         SamplePicture& output) {
  const ReconstructionInput input(picture, find);
  const PictureView view = input.view(output);
  for (int row = 0; row <= view.rows; ++row) {
    for (int column = 0; row < view.rows && column < view.columns; ++column) {
      reconstruct_macroblock<ScalarKernels>(view, column, row);
    }
    for (int column = 0; row > 0 && column < view.columns; ++column) {
      deblock_macroblock<ScalarKernels>(view, column, row - 1);
    }
  }
}

}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// Reconstructs a whole picture on one thread.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_VIEW_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_VIEW_H_

#include <millrace/algorithms/h264/reconstruction/deblocking.h>
#include <millrace/algorithms/h264/reconstruction/expanded_coefficients.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_macroblock.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>

namespace millrace::h264 {

// Reconstructs a picture. Deblocking is one row behind prediction: intra prediction of the row
// below reads samples that are not deblocked yet, and the samples of a row are still in the cache.
// `coefficients_of` returns the coefficients of a macroblock by its index, which are read before it
// is called again; null: all are 0.
template <class Kernels, class CoefficientsOf>
void reconstruct_view(const PictureView& picture, CoefficientsOf& coefficients_of) {
  const Kernels kernels;
  for (int row = 0; row <= picture.rows; ++row) {
    for (int column = 0; row < picture.rows && column < picture.columns; ++column) {
      const MacroblockCoefficients* const coefficients =
          coefficients_of(picture.index(column, row));
      reconstruct_macroblock(kernels, picture, picture.macroblocks[picture.index(column, row)],
                             column, row, coefficients);
    }
    for (int column = 0; row > 0 && column < picture.columns; ++column) {
      deblock_macroblock(kernels, picture, column, row - 1);
    }
  }
}

// The same with the coefficients of the picture.
template <class Kernels>
void reconstruct_view(const PictureView& picture) {
  ExpandedCoefficients coefficients(picture);
  reconstruct_view<Kernels>(picture, coefficients);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_VIEW_H_

// SPDX-License-Identifier: Apache-2.0

// The loops in which reconstruction spends most of its time, sample by sample, for every processor.
// CPUs have the same functions by SIMD; results are equal to the bit.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_

#include <millrace/algorithms/h264/reconstruction/deblocking_filter.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Blocks of luma are 4, 8 or 16 samples wide and high, those of chroma 2, 4 or 8.
struct ScalarKernels {
  // Predicts a block of luma whose samples are (x, y) quarters from those at `from`.
  MILLRACE_FUNCTION static void predict_luma(SampleRows from, int x, int y, int width, int height,
                                             std::uint8_t* to, std::ptrdiff_t stride) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        to[row * stride + column] = static_cast<std::uint8_t>(
            luma_sample(from.samples + row * from.stride + column, from.stride, x, y));
      }
    }
  }

  // Predicts a block of chroma whose samples are (x, y) eighths from those at `from`.
  MILLRACE_FUNCTION static void predict_chroma(SampleRows from, int x, int y, int width, int height,
                                               std::uint8_t* to, std::ptrdiff_t stride) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        to[row * stride + column] = static_cast<std::uint8_t>(
            chroma_sample(from.samples + row * from.stride + column, from.stride, x, y));
      }
    }
  }

  // Weighs a block that is predicted from the reference of list `list` alone.
  MILLRACE_FUNCTION static void weigh(const BlockWeights& weights, int list, int width, int height,
                                      std::uint8_t* to, std::ptrdiff_t stride) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        std::uint8_t& sample = to[row * stride + column];
        sample = weighted_sample(weights, list, sample);
      }
    }
  }

  // Combines the prediction from list 0, at `to`, with that from list 1, in rows of 16.
  MILLRACE_FUNCTION static void combine(const BlockWeights& weights, const std::uint8_t* second,
                                        int width, int height, std::uint8_t* to,
                                        std::ptrdiff_t stride) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        std::uint8_t& sample = to[row * stride + column];
        const std::uint8_t other = second[16 * row + column];
        sample = weights.is_default ? mean_sample(sample, other)
                                    : weighted_sample_of_two(weights, sample, other);
      }
    }
  }

  // Predicts an n x n block, 4x4 or 8x8, from its edge.
  template <int n>
  MILLRACE_FUNCTION static void predict_intra(const IntraEdge<n>& edge, int mode,
                                              std::uint8_t* block, std::ptrdiff_t stride) {
    predict_intra_block(edge, mode, block, stride);
  }

  // Adds the residual of an n x n block to its prediction; rows of coefficients are `pitch` apart.
  template <int n, int pitch>
  MILLRACE_FUNCTION static void add_residual(const std::int16_t* coefficients, std::uint8_t* block,
                                             std::ptrdiff_t stride) {
    add_block_residual<n, pitch>(coefficients, block, stride);
  }

  // Filters an edge of 16 samples of luma. `across` is the step over the edge, `along` the step to
  // the next sample of it; `first` is the first sample on the right of or below the edge.
  MILLRACE_FUNCTION static void filter_luma(const EdgeFilter& filter, std::uint8_t* first,
                                            std::ptrdiff_t across, std::ptrdiff_t along) {
    for (int i = 0; i < 16; ++i) {
      filter_luma_sample(filter, i / 4, first + i * along, across);
    }
  }

  // The same of an edge of 8 samples of chroma.
  MILLRACE_FUNCTION static void filter_chroma(const EdgeFilter& filter, std::uint8_t* first,
                                              std::ptrdiff_t across, std::ptrdiff_t along) {
    for (int i = 0; i < 8; ++i) {
      filter_chroma_sample(filter, i / 2, first + i * along, across);
    }
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_

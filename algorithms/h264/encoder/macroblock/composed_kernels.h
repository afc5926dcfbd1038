// SPDX-License-Identifier: Apache-2.0

// Steps of an encoder that are made of several loops. A GPU shares each among lanes.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_COMPOSED_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_COMPOSED_KERNELS_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Adds to `Base`, which has the loops of reconstruction and of PlainEncoderKernels.
template <class Base>
struct ComposedKernels : Base {
  using Base::Base;

  // Predicts a block into `to`.
  MILLRACE_FUNCTION void predict(const PictureView& picture, const ReferenceView& reference,
                                 const PredictedBlock& block, std::uint8_t* to,
                                 std::ptrdiff_t stride) const {
    predict_from(*this, picture, reference, block, to, stride);
  }

  // Returns the SATD between a block of luma in `source` and its prediction.
  MILLRACE_FUNCTION std::uint32_t predicted_satd(const PictureView& picture,
                                                 const ReferenceView& reference,
                                                 const PredictedBlock& block,
                                                 SampleRows source) const {
    alignas(16) std::uint8_t prediction[16 * 16];
    predict(picture, reference, block, prediction, 16);
    return this->satd(source, {prediction, 16}, block.width, block.height);
  }

  // Sets satds[mode] for those modes of `modes`, a mask, in which an n x n block, 4x4 or 8x8, may
  // be predicted from its edge. The block's samples are lost.
  template <int n>
  MILLRACE_FUNCTION void mode_satds(const IntraEdge<n>& edge, std::uint32_t modes,
                                    SampleRows source, std::uint8_t* block, std::ptrdiff_t stride,
                                    std::uint32_t (&satds)[9]) const {
    for (int mode = 0; mode < 9; ++mode) {
      if ((modes >> mode & 1) == 0) continue;
      this->predict_intra(edge, mode, block, stride);
      satds[mode] = this->satd(source, {block, stride}, n, n);
    }
  }

  // Predicts a whole macroblock of luma in a mode of kIntra16x16, and returns its SATD with a
  // transform of the DC values.
  MILLRACE_FUNCTION std::uint32_t whole_mode_satd(const IntraEdge<16>& edge, int mode,
                                                  SampleRows source, std::uint8_t* block,
                                                  std::ptrdiff_t stride) const {
    predict_whole(edge, mode, block, stride);
    const auto satd = static_cast<std::int32_t>(this->satd(source, {block, stride}, 16, 16));
    return static_cast<std::uint32_t>(satd + dc_satd_difference(source, {block, stride}));
  }

  MILLRACE_FUNCTION void predict_whole(const IntraEdge<16>& edge, int mode, std::uint8_t* block,
                                       std::ptrdiff_t stride) const {
    predict_intra_16x16(*this, edge, mode, block, stride);
  }

  // Predicts an 8x8 block of chroma in a mode, and returns its SATD.
  MILLRACE_FUNCTION std::uint32_t chroma_mode_satd(IntraAvailability available, int mode,
                                                   SampleRows source, std::uint8_t* block,
                                                   std::ptrdiff_t stride) const {
    predict_intra_chroma(*this, this->template load_edge<8>(block, stride, available), mode, block,
                         stride);
    return this->satd(source, {block, stride}, 8, 8);
  }

  // Returns a mask of the 4x4 blocks of a block of `side` x `side` samples, in raster order, of
  // which a coefficient may be larger than its limit. `limits` are by position in a 4x4 block, in
  // raster order. Writes the DC of the others.
  template <int side>
  MILLRACE_FUNCTION std::uint32_t blocks_above(SampleRows /*source*/, SampleRows /*prediction*/,
                                               const std::int16_t (&/*limits*/)[16],
                                               std::int16_t (&/*dc*/)[side * side / 16]) const {
    return (1u << side * side / 16) - 1;
  }

  // Writes the distortions of all partitions of a macroblock: the costs that a search has stored,
  // less the bits of the vectors by its predictor, divided by 32.
  MILLRACE_FUNCTION void searched_distortions(
      const std::uint32_t* costs, const MotionVector* vectors, MotionVector predictor, int lambda,
      std::uint32_t (&distortions)[motion::kPartitions]) const {
    for (int i = 0; i < motion::kPartitions; ++i) {
      const std::uint32_t bits =
          motion::motion_cost(0, lambda, vectors[i].x - predictor.x, vectors[i].y - predictor.y);
      distortions[i] = (costs[i] - bits) / 32;
    }
  }

  // Does a step of a ResidualCoding for the blocks of `blocks`, a mask. Returns a mask of those
  // that have levels.
  template <class Residual, class Step>
  MILLRACE_FUNCTION std::uint32_t for_each_block(Residual& residual, Step step,
                                                 std::uint32_t blocks) const {
    std::uint32_t mask = 0;
    for (int block = 0; blocks >> block != 0; ++block) {
      if ((blocks >> block & 1) != 0 && residual.do_step(step, block)) mask |= 1u << block;
    }
    return mask;
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_COMPOSED_KERNELS_H_

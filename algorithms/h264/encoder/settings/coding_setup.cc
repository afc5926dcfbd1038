// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/settings/coding_setup.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/algorithms/h264/entropy/chroma_qp.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>

#include <algorithm>
#include <cmath>

namespace millrace::h264 {
namespace {

// Returns the Lagrange multiplier of mode decision, the weight of a bit against a squared error:
// 0.85 * 2^((QP - 12) / 3), in 1 / 1024.
std::uint64_t mode_lambda(int qp) {
  return static_cast<std::uint64_t>(std::lround(1024 * 0.85 * std::exp2((qp - 12) / 3.0)));
}

}  // namespace

PictureCoding coding_setup(const EncoderOptions& options, const SequenceParameters& sequence,
                           const PictureParameters& picture) {
  PictureCoding coding;
  coding.view.columns = sequence.width_in_macroblocks;
  coding.view.rows = sequence.height_in_macroblocks;
  coding.has_8x8_transform = picture.has_8x8_transform;
  coding.is_cabac = picture.is_cabac;
  coding.decision = options.decision;
  coding.search = options.search;
  coding.range = options.range;
  const LevelLimits& level = level_for(options);
  coding.limits = {4 * level.vertical_range, level.vectors_in_two};
  return coding;
}

void set_coding_qp(PictureCoding& coding, int qp) {
  coding.qp = qp;
  coding.chroma_qp = chroma_qp(qp, 0);
  coding.lambda = motion::motion_lambda(qp);
  coding.mode_lambda = mode_lambda(qp);
}

SliceView slice_view(const EncoderOptions& options, const ReferenceView* references, int count) {
  SliceView slice = {};
  slice.references[0] = references;
  slice.counts[0] = static_cast<std::uint8_t>(std::max(count, 1));
  slice.counts[1] = 1;
  slice.deblocking = options.has_deblocking ? 0 : 1;
  return slice;
}

}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// Chooses how a macroblock is coded by the squared error and all bits of each candidate.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_JOINT_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_JOINT_DECISION_H_

#include <millrace/algorithms/h264/encoder/decision/inter_decision.h>
#include <millrace/algorithms/h264/encoder/decision/intra_decision.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/pcm_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/rate_model.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/encoder/syntax/inter_syntax.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>
#include <utility>

namespace millrace::h264 {

// Memory of a JointDecision.
struct JointMemory {
  MacroblockCandidate candidates[2];
  SampleArea prediction;
};

template <class Kernels>
class JointDecision {
 public:
  MILLRACE_FUNCTION JointDecision(const Kernels& kernels, const PictureCoding& coding, int column,
                                  int row, JointMemory& memory)
      : kernels_(kernels),
        coding_(coding),
        column_(column),
        row_(row),
        macroblock_(coding.macroblocks[coding.view.index(column, row)]),
        prediction_(memory.prediction),
        trial_(&memory.candidates[0]),
        best_(&memory.candidates[1]),
        rates_(coding, column, row) {}

  // Chooses and codes the macroblock. Before the call, the macroblock in the picture has its slice
  // and QP alone. `most_vectors` and `before` are those of InterDecision. Returns the best
  // candidate; the caller stores its samples and levels.
  MILLRACE_FUNCTION MacroblockCandidate& operator()(int most_vectors, MotionVector before) {
    const Macroblock empty = macroblock_;
    std::uint32_t inter_cost = ~0u;
    if (coding_.is_inter) inter_cost = try_inter(empty, most_vectors, before);
    try_intra(empty, inter_cost);
    const bool is_too_large = has_large_level(best_->macroblock, best_->levels);
    if (is_too_large) best_cost_ = ~std::uint64_t{0};
    if (is_too_large || best_rate_ > kMostBits * std::uint64_t{kRateOfBit}) try_samples(empty);
    macroblock_ = best_->macroblock;
    rates_.commit(best_->levels);
    return *best_;
  }

 private:
  // Annex A allows 3200 bits a macroblock. The margin is for CABAC, whose rates are estimates.
  static constexpr int kMostBits = 3000;

  // Takes the trial if it is the best so far. The macroblock in the picture is then the trial's.
  MILLRACE_NOINLINE_FUNCTION void consider() {
    macroblock_ = trial_->macroblock;
    std::uint64_t error = 0;
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::uint64_t of_plane =
          kernels_.squared_error(coding_.source_rows(plane, column_, row_),
                                 {trial_->area.samples(plane), SampleArea::kStride}, side, side);
      error += plane == 0 ? of_plane : of_plane * 3 / 2;  // See PictureCoding::chroma_lambda().
    }
    const std::uint64_t rate = rates_.macroblock(trial_->levels);
    const std::uint64_t cost = coding_.joint_cost(error, rate);
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_rate_ = rate;
    std::swap(trial_, best_);
  }

  // Tries inter macroblocks. Returns their lowest cost by SATD.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t try_inter(const Macroblock& empty, int most_vectors,
                                                     MotionVector before) {
    InterDecision<Kernels> decision(kernels_, coding_, column_, row_, before);
    const MotionVector skip = decision.skip();
    decision.set_whole(MacroblockType::kSkip, skip);
    trial_->macroblock = macroblock_;
    decision.predict(trial_->area);
    consider();
    Macroblock shapes[4];
    std::uint32_t costs[4];
    std::uint32_t lowest = ~0u;
    for (int shape = 0; shape < 4; ++shape) {
      macroblock_ = empty;
      costs[shape] = shape == 0   ? decision.choose_16x16()
                     : shape == 1 ? decision.choose_16x8()
                     : shape == 2 ? decision.choose_8x16()
                                  : decision.choose_8x8(most_vectors);
      shapes[shape] = macroblock_;
      lowest = costs[shape] < lowest ? costs[shape] : lowest;
    }
    for (int shape = 0; shape < 4; ++shape) {
      if (costs[shape] - lowest > lowest / 8) continue;
      macroblock_ = shapes[shape];
      decision.predict(prediction_);
      try_residual(shapes[shape], false);
      if (coding_.has_8x8_transform && has_partitions_of_8x8(shapes[shape])) {
        try_residual(shapes[shape], true);
      }
    }
    return lowest;
  }

  // Tries an inter macroblock with a transform size, or without a residual where it has none.
  MILLRACE_NOINLINE_FUNCTION void try_residual(const Macroblock& decisions,
                                               bool has_8x8_transform) {
    trial_->macroblock = decisions;
    trial_->macroblock.has_8x8_transform = has_8x8_transform;
    trial_->area = prediction_;
    rates_.begin(false);
    ResidualCoding residual(kernels_, coding_, column_, row_, *trial_, &rates_);
    residual.code_inter_luma();
    residual.code_chroma();
    if ((trial_->macroblock.coded_block_pattern & 15) == 0) {
      trial_->macroblock.has_8x8_transform = false;
    }
    consider();
  }

  MILLRACE_NOINLINE_FUNCTION void try_intra(const Macroblock& empty, std::uint32_t inter_cost) {
    macroblock_ = empty;
    const IntraDecision<Kernels> decision(kernels_, coding_, column_, row_);
    prediction_.load_neighbours(coding_.view, column_, row_);
    trial_->macroblock = empty;
    trial_->area = prediction_;
    decision.choose_16x16(*trial_);
    // Intra coding is not tried if the best 16x16 prediction costs more than twice as much as inter
    // coding.
    const std::uint32_t whole_cost = trial_->cost;
    if (whole_cost / 4 > inter_cost / 2) return;
    decision.choose_chroma(*trial_);
    const int chroma_mode = trial_->macroblock.intra_chroma_mode;
    {
      rates_.begin(true);
      ResidualCoding residual(kernels_, coding_, column_, row_, *trial_, &rates_);
      residual.code_intra_16x16_luma();
      residual.code_chroma();
      consider();
    }
    try_blocks<4>(empty, decision, chroma_mode);
    if (coding_.has_8x8_transform) try_blocks<8>(empty, decision, chroma_mode);
  }

  template <int n>
  MILLRACE_NOINLINE_FUNCTION void try_blocks(const Macroblock& empty,
                                             const IntraDecision<Kernels>& decision,
                                             int chroma_mode) {
    macroblock_ = empty;
    trial_->macroblock = empty;
    trial_->area = prediction_;
    rates_.begin(true);
    decision.template choose_blocks_by_rate<n>(*trial_, rates_);
    decision.set_chroma(*trial_, chroma_mode);
    ResidualCoding(kernels_, coding_, column_, row_, *trial_, &rates_).code_chroma();
    consider();
  }

  // Replaces the best candidate by I_PCM.
  MILLRACE_FUNCTION void try_samples(const Macroblock& empty) {
    make_pcm_candidate(coding_, column_, row_, empty, *trial_);
    consider();
  }

  const Kernels& kernels_;
  const PictureCoding& coding_;
  const int column_, row_;
  Macroblock& macroblock_;
  SampleArea& prediction_;
  MacroblockCandidate* trial_;
  MacroblockCandidate* best_;
  RateModel rates_;
  std::uint64_t best_cost_ = ~std::uint64_t{0};
  std::uint64_t best_rate_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_JOINT_DECISION_H_

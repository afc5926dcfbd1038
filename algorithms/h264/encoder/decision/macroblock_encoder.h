// SPDX-License-Identifier: Apache-2.0

// Decides how one macroblock is coded, and codes and reconstructs it, before deblocking.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_MACROBLOCK_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_MACROBLOCK_ENCODER_H_

#include <millrace/algorithms/h264/encoder/decision/inter_decision.h>
#include <millrace/algorithms/h264/encoder/decision/intra_decision.h>
#include <millrace/algorithms/h264/encoder/decision/joint_decision.h>
#include <millrace/algorithms/h264/encoder/decision/vector_count.h>
#include <millrace/algorithms/h264/encoder/macroblock/bit_limit.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Estimated bits that P_Skip saves beyond the costs compared: those of the coded block pattern and
// of small levels. `millrace bench rd` shows the effect on the rate.
inline constexpr int kBitsSavedBySkip = 4;

// Memory of a MacroblockEncoder.
struct EncoderMemory {
  MacroblockCandidate inter;
  MacroblockCandidate intra_16x16;
  MacroblockCandidate intra_blocks;
  JointMemory joint;
};

// Encodes macroblocks whose neighbours to the left, upper left, above and upper right are encoded.
template <class Kernels>
class MacroblockEncoder {
 public:
  MILLRACE_FUNCTION MacroblockEncoder(const Kernels& kernels, const PictureCoding& coding,
                                      int column, int row, EncoderMemory& memory)
      : kernels_(kernels),
        coding_(coding),
        column_(column),
        row_(row),
        macroblock_(coding.macroblocks[coding.view.index(column, row)]),
        memory_(memory) {}

  // Encodes the macroblock, whose `slice` must be set.
  MILLRACE_FUNCTION void operator()() {
    before_ = macroblock_.vectors[0][0];
    reset(macroblock_, macroblock_.slice);
    MacroblockCandidate& best =
        coding_.decision == ModeDecision::kCost
            ? choose_by_cost()
            : JointDecision<Kernels>(kernels_, coding_, column_, row_, memory_.joint)(
                  most_vectors(coding_, column_, row_), before_);
    best.area.store(coding_.view, column_, row_);
    macroblock_ = best.macroblock;
    copy_coded_levels(macroblock_, best.levels, coding_.levels[coding_.view.index(column_, row_)]);
  }

 private:
  MILLRACE_FUNCTION MacroblockCandidate& choose_by_cost() {
    const std::uint16_t slice = macroblock_.slice;
    const Macroblock empty = macroblock_;
    MacroblockCandidate* best = nullptr;
    bool is_finished = false;
    if (coding_.is_inter) {
      best = &memory_.inter;
      is_finished = choose_inter();
    }
    if (!is_finished) {
      const Macroblock inter = macroblock_;
      MacroblockCandidate& whole = begin_intra(memory_.intra_16x16, slice);
      const IntraDecision<Kernels> intra(kernels_, coding_, column_, row_);
      intra.choose_16x16(whole);
      const bool may_have_blocks =
          best == nullptr || may_have_4x4_blocks(coding_.search, whole.cost, best->cost);
      if (best == nullptr || whole.cost < best->cost) best = &whole;
      if (may_have_blocks) {
        MacroblockCandidate& blocks = begin_intra(memory_.intra_blocks, slice);
        if (intra.template choose_blocks<4>(blocks, best->cost)) best = &blocks;
      }
      if (best == &memory_.inter) {
        finish_inter(inter);
      } else {
        finish_intra(*best, intra);
      }
    }
    if (coding_.qp < kFirstQpWithoutPcm) {
      limit_bits(coding_, column_, row_, empty, *best);
    }
    return *best;
  }

  MILLRACE_FUNCTION void reset(Macroblock& macroblock, std::uint16_t slice) const {
    macroblock = {};
    macroblock.slice = slice;
    macroblock.qp = static_cast<std::uint8_t>(coding_.qp);
    for (std::uint8_t& qp : macroblock.chroma_qp) qp = static_cast<std::uint8_t>(coding_.chroma_qp);
  }

  MILLRACE_FUNCTION MacroblockCandidate& begin_intra(MacroblockCandidate& candidate,
                                                     std::uint16_t slice) {
    reset(candidate.macroblock, slice);
    macroblock_ = candidate.macroblock;
    candidate.area.load_neighbours(coding_.view, column_, row_);
    return candidate;
  }

  // Returns true if the macroblock is skipped, and finished.
  MILLRACE_NOINLINE_FUNCTION bool choose_inter() {
    InterDecision<Kernels> decision(kernels_, coding_, column_, row_, before_);
    MacroblockCandidate& best = memory_.inter;
    const MotionVector skip = decision.skip();
    decision.set_whole(MacroblockType::kInter16x16, skip);
    best.cost = 32 * decision.distortion(skip);
    const auto saved = static_cast<std::uint32_t>(kBitsSavedBySkip * coding_.lambda);
    best.cost = best.cost > saved ? best.cost - saved : 0;
    best.macroblock = macroblock_;
    const auto take = [&](std::uint32_t cost) {
      if (cost >= best.cost) return;
      best.cost = cost;
      best.macroblock = macroblock_;
    };
    const std::uint32_t skip_cost = best.cost;
    const std::uint32_t whole_cost = decision.choose_16x16();
    take(whole_cost);
    if (coding_.search == EncoderSearch::kFull) {
      if (decision.least_16x8() < best.cost) take(decision.choose_16x8());
      if (decision.least_8x16() < best.cost) take(decision.choose_8x16());
      take(decision.choose_8x8(most_vectors(coding_, column_, row_), best.cost));
    } else {
      if (skip_cost <= whole_cost) {
        finish_inter(best.macroblock);
        if (best.macroblock.type == MacroblockType::kSkip) return true;
      }
      // Halves are tried where quarters are hardly worse than the whole.
      const std::uint32_t quarters_cost = decision.choose_8x8(most_vectors(coding_, column_, row_));
      take(quarters_cost);
      if (quarters_cost - quarters_cost / 16 < whole_cost) {
        take(decision.choose_16x8());
        take(decision.choose_8x16());
      }
    }
    macroblock_ = best.macroblock;
    return false;
  }

  MILLRACE_NOINLINE_FUNCTION void finish_inter(const Macroblock& chosen) {
    memory_.inter.macroblock = chosen;
    macroblock_ = chosen;
    const InterDecision<Kernels> decision(kernels_, coding_, column_, row_);
    MacroblockCandidate& candidate = memory_.inter;
    decision.predict(candidate.area);
    ResidualCoding residual(kernels_, coding_, column_, row_, candidate, nullptr);
    residual.code_inter_luma();
    residual.code_chroma();
    Macroblock& macroblock = candidate.macroblock;
    if (macroblock.type == MacroblockType::kInter16x16 && macroblock.coded_block_pattern == 0 &&
        macroblock.references[0][0] == 0 && macroblock.vectors[0][0] == decision.skip()) {
      macroblock.type = MacroblockType::kSkip;
    }
  }

  MILLRACE_NOINLINE_FUNCTION void finish_intra(MacroblockCandidate& candidate,
                                               const IntraDecision<Kernels>& intra) const {
    intra.choose_chroma(candidate);
    ResidualCoding residual(kernels_, coding_, column_, row_, candidate, nullptr);
    if (candidate.macroblock.type == MacroblockType::kIntra16x16) residual.code_intra_16x16_luma();
    residual.code_chroma();
  }

  const Kernels& kernels_;
  const PictureCoding& coding_;
  const int column_, row_;
  Macroblock& macroblock_;
  EncoderMemory& memory_;
  MotionVector before_ = {};  // Its vector in the previous picture.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_MACROBLOCK_ENCODER_H_

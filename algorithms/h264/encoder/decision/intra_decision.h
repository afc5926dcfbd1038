// SPDX-License-Identifier: Apache-2.0

// Chooses the modes of intra macroblocks by the SATD of their predictions.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTRA_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTRA_DECISION_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/algorithms/h264/encoder/macroblock/encoder_search.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/rate_model.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/sample_area.h>
#include <millrace/algorithms/h264/entropy/intra_mode_grid.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Returns true if a block with these neighbours may have a mode of Tables 8-2 and 8-3.
MILLRACE_FUNCTION constexpr bool is_intra_mode_possible(IntraAvailability available, int mode) {
  switch (mode) {
    case kIntraVertical:
    case kIntraDiagonalDownLeft:
    case kIntraVerticalLeft: return available.top;
    case kIntraHorizontal:
    case kIntraHorizontalUp: return available.left;
    case kIntraDc: return true;
    default: return available.left && available.top && available.top_left;
  }
}

// Returns true if 4x4 intra blocks may cost less than the best choice so far. They are estimated to
// cost at least half as much as the best 16x16 mode after a full search, and three quarters after
// faster searches. `millrace bench rd` shows the effect on the rate.
MILLRACE_FUNCTION constexpr bool may_have_4x4_blocks(EncoderSearch search, std::uint32_t whole_cost,
                                                     std::uint32_t best_cost) {
  const std::uint32_t least =
      search == EncoderSearch::kFull ? whole_cost / 2 : whole_cost - whole_cost / 4;
  return least < best_cost;
}

template <class Kernels>
class IntraDecision {
 public:
  MILLRACE_FUNCTION IntraDecision(const Kernels& kernels, const PictureCoding& coding, int column,
                                  int row)
      : kernels_(kernels),
        coding_(coding),
        column_(column),
        row_(row),
        available_(macroblock_availability(coding.view, column, row)) {}

  // Chooses the mode of a kIntra16x16 macroblock. Writes the prediction to the candidate's area,
  // and sets its cost to the distortion plus the bits of the type.
  MILLRACE_NOINLINE_FUNCTION void choose_16x16(MacroblockCandidate& candidate) const {
    candidate.macroblock.type = MacroblockType::kIntra16x16;
    candidate.macroblock.has_8x8_transform = false;
    IntraAvailability available = available_;
    available.top_right = false;
    std::uint8_t* const block = candidate.area.samples(0);
    const auto& edge = kernels_.template load_edge<16>(block, SampleArea::kStride, available);
    const SampleRows source = coding_.source_rows(0, column_, row_);
    std::uint32_t best = ~0u;
    int best_mode = 0;
    for (int mode = 0; mode < 4; ++mode) {
      if (!is_16x16_mode_possible(available, mode)) continue;
      // Modes have the same bits.
      const std::uint32_t cost =
          32 * kernels_.whole_mode_satd(edge, mode, source, block, SampleArea::kStride);
      if (cost >= best) continue;
      best = cost;
      best_mode = mode;
    }
    kernels_.predict_whole(edge, best_mode, block, SampleArea::kStride);
    for (std::uint8_t& mode : candidate.macroblock.intra_modes) {
      mode = static_cast<std::uint8_t>(best_mode);
    }
    candidate.cost = best + type_bits(5) * lambda();
  }

  // Chooses the modes of a macroblock of n x n blocks and codes its luma. Gives up, and returns
  // false, where the cost passes `limit`.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION bool choose_blocks(MacroblockCandidate& candidate,
                                                std::uint32_t limit) const {
    IntraModeGrid modes(coding_.neighbours(column_, row_), false);
    candidate.macroblock.type = n == 4 ? MacroblockType::kIntra4x4 : MacroblockType::kIntra8x8;
    candidate.macroblock.has_8x8_transform = n == 8;
    ResidualCoding residual(kernels_, coding_, column_, row_, candidate, nullptr);
    std::uint32_t coded = 0;
    candidate.cost = type_bits(0) * lambda();
    constexpr int kCount = 256 / (n * n);
    for (int i = 0; i < kCount; ++i) {
      const int x = n == 8 ? i % 2 : block_column(i);
      const int y = n == 8 ? i / 2 : block_row(i);
      choose_block<n>(candidate, modes, x, y);
      // A mode has at least one bit.
      if (candidate.cost + static_cast<std::uint32_t>(kCount - 1 - i) * lambda() >= limit) {
        return false;
      }
      if (residual.template code_block<n>(x, y)) {
        coded |= n == 8 ? 0x33u << (8 * y + 2 * x) : 1u << (4 * y + x);
      }
    }
    residual.finish_luma(coded);
    return true;
  }

  // The same as choose_blocks(), but codes the modes that predict best, and compares them by
  // squared error and bits. The rate model must have begun.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION void choose_blocks_by_rate(MacroblockCandidate& candidate,
                                                        RateModel& rates) const {
    IntraModeGrid modes(coding_.neighbours(column_, row_), false);
    candidate.macroblock.type = n == 4 ? MacroblockType::kIntra4x4 : MacroblockType::kIntra8x8;
    candidate.macroblock.has_8x8_transform = n == 8;
    ResidualCoding residual(kernels_, coding_, column_, row_, candidate, &rates);
    std::uint32_t coded = 0;
    for (int i = 0; i < 256 / (n * n); ++i) {
      const int x = n == 8 ? i % 2 : block_column(i);
      const int y = n == 8 ? i / 2 : block_row(i);
      if (choose_block_by_rate<n>(candidate, modes, residual, rates, x, y)) {
        coded |= n == 8 ? 0x33u << (8 * y + 2 * x) : 1u << (4 * y + x);
      }
    }
    residual.finish_luma(coded);
  }

  // Chooses the mode of chroma, and leaves its prediction in the area.
  MILLRACE_NOINLINE_FUNCTION void choose_chroma(MacroblockCandidate& candidate) const {
    IntraAvailability available = available_;
    available.top_right = false;
    std::uint32_t best = ~0u;
    int best_mode = 0;
    for (int mode = 0; mode < 4; ++mode) {
      if (!is_chroma_mode_possible(available, mode)) continue;
      std::uint32_t distortion = 0;
      for (int plane = 1; plane < 3; ++plane) {
        distortion +=
            kernels_.chroma_mode_satd(available, mode, coding_.source_rows(plane, column_, row_),
                                      candidate.area.samples(plane), SampleArea::kStride);
      }
      const std::uint32_t cost = 32 * distortion + (mode == 0 ? 1 : mode < 3 ? 3 : 5) * lambda();
      if (cost >= best) continue;
      best = cost;
      best_mode = mode;
    }
    predict_chroma(candidate.area, available, best_mode);
    candidate.macroblock.intra_chroma_mode = static_cast<std::uint8_t>(best_mode);
  }

  // Predicts chroma in a mode that choose_chroma() has chosen.
  MILLRACE_FUNCTION void set_chroma(MacroblockCandidate& candidate, int mode) const {
    IntraAvailability available = available_;
    available.top_right = false;
    predict_chroma(candidate.area, available, mode);
    candidate.macroblock.intra_chroma_mode = static_cast<std::uint8_t>(mode);
  }

 private:
  MILLRACE_FUNCTION std::uint32_t lambda() const {
    return static_cast<std::uint32_t>(coding_.lambda);
  }

  // Returns the bits of mb_type `type`: 0 is kIntra4x4, larger ones are kIntra16x16. P pictures add
  // 8 bits: intra macroblocks are filtered more strongly and give neighbours no vector to predict
  // from.
  MILLRACE_FUNCTION std::uint32_t type_bits(int type) const {
    if (coding_.is_inter) return type == 0 ? 13 : 15;
    return type == 0 ? 1 : 5;
  }

  MILLRACE_FUNCTION static constexpr bool is_16x16_mode_possible(IntraAvailability available,
                                                                 int mode) {
    switch (mode) {
      case kIntra16x16Vertical: return available.top;
      case kIntra16x16Horizontal: return available.left;
      case kIntra16x16Dc: return true;
      default: return available.left && available.top && available.top_left;
    }
  }
  MILLRACE_FUNCTION static constexpr bool is_chroma_mode_possible(IntraAvailability available,
                                                                  int mode) {
    switch (mode) {
      case kIntraChromaVertical: return available.top;
      case kIntraChromaHorizontal: return available.left;
      case kIntraChromaDc: return true;
      default: return available.left && available.top && available.top_left;
    }
  }

  MILLRACE_FUNCTION std::uint32_t mode_cost(std::uint32_t satd, bool is_predicted) const {
    return 32 * satd + (is_predicted ? 1 : 4) * lambda();
  }

  // Returns a mask of the modes in which a block may be predicted.
  MILLRACE_FUNCTION static std::uint32_t possible_modes(IntraAvailability available) {
    std::uint32_t modes = 0;
    for (int mode = 0; mode < 9; ++mode) {
      modes |= is_intra_mode_possible(available, mode) ? 1u << mode : 0;
    }
    return modes;
  }

  MILLRACE_FUNCTION SampleRows luma_source(int x, int y) const {
    SampleRows source = coding_.source_rows(0, column_, row_);
    source.samples += y * source.stride + x;
    return source;
  }

  template <int n>
  MILLRACE_NOINLINE_FUNCTION void choose_block(MacroblockCandidate& candidate, IntraModeGrid& modes,
                                               int x, int y) const {
    constexpr int kBlocks = n / 4;
    std::uint8_t* const block = candidate.area.samples(0) + n * (y * SampleArea::kStride + x);
    const IntraAvailability available = block_availability<n>(available_, x, y);
    const IntraEdge<n>* edge =
        &kernels_.template load_edge<n>(block, SampleArea::kStride, available);
    if constexpr (n == 8) edge = &kernels_.filter_edge(*edge);
    const int predicted = modes.predicted(kBlocks * x, kBlocks * y);
    std::uint32_t best = ~0u;
    int best_mode = kIntraDc;
    std::uint32_t satds[9];
    const std::uint32_t modes_here = possible_modes(available);
    kernels_.mode_satds(*edge, modes_here, luma_source(n * x, n * y), block, SampleArea::kStride,
                        satds);
    for (int mode = 0; mode < 9; ++mode) {
      if ((modes_here >> mode & 1) == 0) continue;
      const std::uint32_t cost = mode_cost(satds[mode], mode == predicted);
      if (cost >= best) continue;
      best = cost;
      best_mode = mode;
    }
    kernels_.predict_intra(*edge, best_mode, block, SampleArea::kStride);
    for (int i = 0; i < kBlocks * kBlocks; ++i) {
      const int block_x = kBlocks * x + i % kBlocks;
      const int block_y = kBlocks * y + i / kBlocks;
      modes.set(block_x, block_y, best_mode);
      candidate.macroblock.intra_modes[4 * block_y + block_x] =
          static_cast<std::uint8_t>(best_mode);
    }
    candidate.cost += best;
  }

  // Number of modes of a block, those of the least SATD, that are coded to count their bits.
  static constexpr int kTriedModes = 3;

  // Returns true if the block has levels.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION bool choose_block_by_rate(MacroblockCandidate& candidate,
                                                       IntraModeGrid& modes,
                                                       ResidualCoding<Kernels>& residual,
                                                       RateModel& rates, int x, int y) const {
    constexpr int kBlocks = n / 4;
    std::uint8_t* const block = candidate.area.samples(0) + n * (y * SampleArea::kStride + x);
    const IntraAvailability available = block_availability<n>(available_, x, y);
    const IntraEdge<n>* loaded =
        &kernels_.template load_edge<n>(block, SampleArea::kStride, available);
    if constexpr (n == 8) loaded = &kernels_.filter_edge(*loaded);
    const IntraEdge<n> edge = *loaded;
    const int predicted = modes.predicted(kBlocks * x, kBlocks * y);
    int tried[kTriedModes];
    std::uint32_t costs[kTriedModes];
    int count = 0;
    std::uint32_t satds[9];
    const std::uint32_t modes_here = possible_modes(available);
    const SampleRows source = luma_source(n * x, n * y);
    kernels_.mode_satds(*loaded, modes_here, source, block, SampleArea::kStride, satds);
    for (int mode = 0; mode < 9; ++mode) {
      if ((modes_here >> mode & 1) == 0) continue;
      const std::uint32_t cost = mode_cost(satds[mode], mode == predicted);
      int at = count < kTriedModes ? count++ : kTriedModes;
      for (; at > 0 && cost < costs[at - 1]; --at) {
        if (at == kTriedModes) continue;
        costs[at] = costs[at - 1];
        tried[at] = tried[at - 1];
      }
      if (at == kTriedModes) continue;
      costs[at] = cost;
      tried[at] = mode;
    }
    std::int16_t* const levels =
        n == 8 ? candidate.levels.luma[2 * y + x] : block_levels(candidate.levels, 4 * y + x);
    std::uint64_t best = ~std::uint64_t{0};
    int best_mode = 0;
    bool best_is_coded = false;
    std::int16_t best_levels[n * n] = {};
    std::uint8_t best_samples[n * n] = {};
    for (int i = 0; i < count; ++i) {
      kernels_.predict_intra(edge, tried[i], block, SampleArea::kStride);
      const bool is_coded = residual.template code_block<n>(x, y);
      const std::uint64_t rate =
          rates.intra_mode(tried[i], predicted) +
          (n == 8 ? rates.luma_8x8(2 * x, 2 * y, levels) : rates.luma_4x4(x, y, levels));
      const std::uint64_t cost = coding_.joint_cost(
          kernels_.squared_error(source, {block, SampleArea::kStride}, n, n), rate);
      if (cost >= best) continue;
      best = cost;
      best_mode = tried[i];
      best_is_coded = is_coded;
      for (int k = 0; k < n * n; ++k) {
        best_levels[k] = levels[k];
        best_samples[k] = block[k / n * SampleArea::kStride + k % n];
      }
    }
    for (int k = 0; k < n * n; ++k) {
      levels[k] = best_levels[k];
      block[k / n * SampleArea::kStride + k % n] = best_samples[k];
    }
    residual.template set_counts<n>(x, y);
    for (int i = 0; i < kBlocks * kBlocks; ++i) {
      const int block_x = kBlocks * x + i % kBlocks;
      const int block_y = kBlocks * y + i / kBlocks;
      modes.set(block_x, block_y, best_mode);
      candidate.macroblock.intra_modes[4 * block_y + block_x] =
          static_cast<std::uint8_t>(best_mode);
    }
    return best_is_coded;
  }

  MILLRACE_NOINLINE_FUNCTION void predict_chroma(SampleArea& area, IntraAvailability available,
                                                 int mode) const {
    for (int plane = 1; plane < 3; ++plane) {
      std::uint8_t* const block = area.samples(plane);
      predict_intra_chroma(kernels_,
                           kernels_.template load_edge<8>(block, SampleArea::kStride, available),
                           mode, block, SampleArea::kStride);
    }
  }

  const Kernels& kernels_;
  const PictureCoding& coding_;
  const int column_, row_;
  const IntraAvailability available_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTRA_DECISION_H_

// SPDX-License-Identifier: Apache-2.0

// Counts the bits of one macroblock and of its blocks in a candidate, by the code that writes their
// syntax.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RATE_MODEL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RATE_MODEL_H_

#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_costs.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_estimator.h>
#include <millrace/algorithms/h264/encoder/syntax/cavlc_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_syntax.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/bit_counter.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_codes.h>
#include <millrace/algorithms/h264/entropy/coded_counts.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Bits are in units of 1 / 1024 bit.
inline constexpr std::uint32_t kRateOfBit = CabacCosts::kOneBit;

// In CABAC the states are those after the last macroblock of the row so far. A row starts with the
// states after the second macroblock of the row above, so that rows can be encoded in parallel.
class RateModel {
 public:
  MILLRACE_FUNCTION RateModel(const PictureCoding& coding, int column, int row)
      : coding_(coding),
        column_(column),
        row_(row),
        index_(coding.view.index(column, row)),
        around_(coding.neighbours(column, row)),
        borders_{
            around_.left != nullptr ? coding.borders + index_ - 1 : nullptr,
            around_.above != nullptr ? coding.borders + index_ - coding.view.columns : nullptr} {
    if (coding.is_cabac && column == 0) begin_row();
  }

  // Begins a candidate without levels.
  MILLRACE_FUNCTION void begin(bool is_intra) {
    const CodedEdge missing = missing_edge(coding_.is_cabac, is_intra);
    const CodedEdge& above = borders_.above != nullptr ? borders_.above->bottom : missing;
    const CodedEdge& left = borders_.left != nullptr ? borders_.left->right : missing;
    luma_.set_border(above.luma, left.luma);
    luma_.clear();
    for (int component = 0; component < 2; ++component) {
      chroma_[component].set_border(above.chroma[component], left.chroma[component]);
      chroma_[component].clear();
    }
  }

  // Sets the number of levels of a block, which the next ones depend on.
  MILLRACE_FUNCTION void set_luma(int x, int y, int count) { luma_.set(x, y, count); }
  MILLRACE_FUNCTION void set_chroma(int component, int x, int y, int count) {
    chroma_[component].set(x, y, count);
  }

  // Return the bits of one block at (x, y) of 4x4 blocks.
  MILLRACE_FUNCTION std::uint32_t luma_4x4(int x, int y, const std::int16_t* levels) const {
    return block<BlockCategory::kLuma4x4, 16>(luma_, x, y, levels);
  }
  // `levels` begin behind the DC.
  MILLRACE_FUNCTION std::uint32_t luma_ac(int x, int y, const std::int16_t* levels) const {
    return block<BlockCategory::kLumaAc, 15>(luma_, x, y, levels);
  }
  MILLRACE_FUNCTION std::uint32_t chroma_ac(int component, int x, int y,
                                            const std::int16_t* levels) const {
    return block<BlockCategory::kChromaAc, 15>(chroma_[component], x, y, levels);
  }
  // (x, y) is the first of the four 4x4 blocks.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t luma_8x8(int x, int y,
                                                    const std::int16_t* levels) const {
    if (coding_.is_cabac) {
      return estimate([&](auto& coder) {
        coder.template residual_block<BlockCategory::kLuma8x8, 64>(0, levels);
      });
    }
    return count([&](auto& coder) {
      CountGrid<4> grid = luma_;
      for (int i = 0; i < 4; ++i) {
        const int at_x = x + i % 2;
        const int at_y = y + i / 2;
        std::int16_t interleaved[16];
        for (int k = 0; k < 16; ++k) interleaved[k] = levels[4 * k + i];
        grid.set(at_x, at_y,
                 coder.template residual_block<16>(
                     coder.token_class_of(grid.sum_of_neighbours(at_x, at_y)), interleaved));
      }
    });
  }

  // Returns the bits of an intra mode of a block.
  MILLRACE_FUNCTION std::uint32_t intra_mode(int mode, int predicted) const {
    const int remaining = mode == predicted ? -1 : mode - (mode > predicted ? 1 : 0);
    if (!coding_.is_cabac) return (remaining < 0 ? 1 : 4) * kRateOfBit;
    return estimate([&](auto& coder) { coder.intra_mode(remaining); });
  }

  // Returns the bits of the macroblock in the picture with these levels.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t macroblock(const MacroblockLevels& levels) const {
    CodedBorder border;
    const bool is_skipped = coding_.macroblocks[index_].type == MacroblockType::kSkip;
    if (coding_.is_cabac) return estimate([&](auto& coder) { write(coder, levels, border); });
    // A skipped macroblock has no bits, but lengthens the skip run of the next one that is coded.
    if (is_skipped) return kRateOfBit / 2;
    return count([&](auto& coder) { write(coder, levels, border); });
  }

  // Updates what later macroblocks depend on by the macroblock in the picture and its levels.
  // Returns its bits. In CAVLC a second call replaces the first one; in CABAC the
  // states of the row have to be those before the first call.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t commit(const MacroblockLevels& levels) {
    CodedBorder& border = coding_.borders[index_];
    if (!coding_.is_cabac) return count([&](auto& coder) { write(coder, levels, border); });
    CabacEstimator estimator(*coding_.cabac_tables, *coding_.cabac_costs, states());
    CabacCoder<CabacEstimator> coder(*coding_.cabac_tables, estimator);
    write(coder, levels, border);
    coding_.row_states[row_] = estimator.states();
    if (column_ == 1 || coding_.view.columns == 1) coding_.entry_states[row_] = states();
    return static_cast<std::uint32_t>(estimator.cost());
  }

 private:
  MILLRACE_FUNCTION void begin_row() {
    if (row_ > 0 && around_.above != nullptr) {
      coding_.row_states[row_] = coding_.entry_states[row_ - 1];
    } else {
      const SliceType type = coding_.is_inter ? SliceType::kP : SliceType::kI;
      coding_.row_states[row_] = first_cabac_states(
          *coding_.cabac_tables, {.type = type, .cabac_table = 0, .qp = coding_.qp});
    }
  }
  MILLRACE_FUNCTION const CabacStates& states() const { return coding_.row_states[row_]; }

  template <class Write>
  MILLRACE_FUNCTION std::uint32_t estimate(const Write& write_to) const {
    CabacEstimator estimator(*coding_.cabac_tables, *coding_.cabac_costs, states());
    CabacCoder<CabacEstimator> coder(*coding_.cabac_tables, estimator);
    write_to(coder);
    return static_cast<std::uint32_t>(estimator.cost());
  }
  template <class Write>
  MILLRACE_FUNCTION std::uint32_t count(const Write& write_to) const {
    BitCounter counter;
    CavlcCoder<BitCounter> coder(*coding_.cavlc_codes, counter);
    write_to(coder);
    return static_cast<std::uint32_t>(counter.position()) * kRateOfBit;
  }

  template <BlockCategory category, int maximum, int n>
  MILLRACE_NOINLINE_FUNCTION std::uint32_t block(const CountGrid<n>& grid, int x, int y,
                                                 const std::int16_t* levels) const {
    if (coding_.is_cabac) {
      return estimate([&](auto& coder) {
        coder.template residual_block<category, maximum>(grid.coded_neighbours(x, y), levels);
      });
    }
    return count([&](auto& coder) {
      coder.template residual_block<maximum>(coder.token_class_of(grid.sum_of_neighbours(x, y)),
                                             levels);
    });
  }

  template <class Coder>
  MILLRACE_NOINLINE_FUNCTION void write(Coder& coder, const MacroblockLevels& levels,
                                        CodedBorder& border) const {
    const SliceSyntax slice = {coding_.is_inter ? SliceType::kP : SliceType::kI, coding_.references,
                               coding_.has_8x8_transform, false};
    SyntaxState state;
    state.qp = coding_.qp;
    MacroblockSyntax<Coder>(slice, coder).write(around_, borders_, levels, state, border);
  }

  const PictureCoding& coding_;
  const int column_, row_, index_;
  const Neighbours around_;
  const BordersAround borders_;
  CountGrid<4> luma_;
  CountGrid<2> chroma_[2];
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RATE_MODEL_H_

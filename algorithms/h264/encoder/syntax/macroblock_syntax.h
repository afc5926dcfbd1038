// SPDX-License-Identifier: Apache-2.0

// Writes the macroblocks of I and P slices (ITU-T H.264 clauses 7.3.4 and 7.3.5), or counts their
// bits: the coder determines which.
//
//   BitCounter counter;
//   CavlcCoder<BitCounter> coder(kCavlcCodes, counter);
//   MacroblockSyntax<CavlcCoder<BitCounter>> syntax(slice, coder);
//   SyntaxState after = state;
//   CodedBorder border;
//   syntax.write(around, borders, levels, after, border);
//   const std::size_t bits = counter.position();
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_SYNTAX_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_SYNTAX_H_

#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/inter_syntax.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/residual_syntax.h>
#include <millrace/algorithms/h264/entropy/coded_counts.h>
#include <millrace/algorithms/h264/entropy/context_increments.h>
#include <millrace/algorithms/h264/entropy/intra_mode_grid.h>
#include <millrace/algorithms/h264/entropy/macroblock_types.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Properties of a slice that the syntax of its macroblocks depends on.
struct SliceSyntax {
  SliceType type = SliceType::kI;
  int reference_count = 1;
  bool has_8x8_transform = false;
  bool has_constrained_intra_prediction = false;
};

// State that passes from one macroblock to the next.
struct SyntaxState {
  int qp = 26;  // QP_Y; at first the slice's.
  bool is_after_qp_change = false;
  int skip_run = 0;  // CAVLC: skipped macroblocks that are not written yet.
};

// `Coder` is CavlcCoder or CabacCoder.
template <class Coder>
class MacroblockSyntax {
 public:
  // Both must outlive this.
  MILLRACE_FUNCTION MacroblockSyntax(const SliceSyntax& slice, Coder& coder)
      : slice_(slice), coder_(coder) {}

  // Writes the current macroblock of `around`, up to end_of_slice_flag. Its decisions have the form
  // that the parser gives them. `borders` has one for each neighbour. In CAVLC a skipped macroblock
  // writes no bits: the next one that is not skipped, or finish_slice(), writes the run.
  MILLRACE_FUNCTION void write(const Neighbours& around, const BordersAround& borders,
                               const MacroblockLevels& levels, SyntaxState& state,
                               CodedBorder& border) {
    const Macroblock& macroblock = *around.current;
    const bool is_skipped = macroblock.type == MacroblockType::kSkip;
    border = {};
    if (slice_.type == SliceType::kP) {
      write_skipping(around, is_skipped, state);
    }
    if (is_skipped) {
      state.is_after_qp_change = false;
    } else if (macroblock.type == MacroblockType::kPcm) {
      write_pcm(around, levels, border);
      state.is_after_qp_change = false;
    } else if (is_intra(macroblock.type)) {
      write_intra(around);
      write_residual(macroblock, borders, levels, state, border);
    } else {
      write_inter(around, borders, border);
      write_residual(macroblock, borders, levels, state, border);
    }
  }

  // Writes the skip run that the slice ends with.
  MILLRACE_FUNCTION void finish_slice(const SyntaxState& state) {
    if constexpr (!kIsCabac) {
      if (state.skip_run > 0) {
        coder_.unsigned_code(state.skip_run);
      }
    }
  }

 private:
  static constexpr bool kIsCabac = Coder::kIsCabac;

  MILLRACE_FUNCTION void write_skipping(const Neighbours& around, bool is_skipped,
                                        SyntaxState& state) {
    if constexpr (kIsCabac) {
      coder_.skip_flag_in_p(skip_increment(around), is_skipped);
    } else if (is_skipped) {
      ++state.skip_run;
    } else {
      coder_.unsigned_code(state.skip_run);
      state.skip_run = 0;
    }
  }

  // `number` is mb_type of I slices.
  MILLRACE_FUNCTION void write_intra_type(const Neighbours& around, int number) {
    const bool is_p = slice_.type == SliceType::kP;
    if constexpr (kIsCabac) {
      if (is_p) {
        coder_.type_in_p(kInterTypesOfP + number);
      } else {
        coder_.intra_type(intra_type_increment(around.left) + intra_type_increment(around.above),
                          number);
      }
    } else {
      coder_.unsigned_code((is_p ? kInterTypesOfP : 0) + number);
    }
  }

  MILLRACE_FUNCTION void write_pcm(const Neighbours& around, const MacroblockLevels& levels,
                                   CodedBorder& border) {
    write_intra_type(around, kIntraTypes - 1);
    coder_.begin_pcm();
    for (const auto& block : levels.luma) {
      for (const std::int16_t sample : block) {
        coder_.pcm_sample(sample);
      }
    }
    for (const auto& component : levels.chroma_ac) {
      for (const auto& block : component) {
        for (const std::int16_t sample : block) {
          coder_.pcm_sample(sample);
        }
      }
    }
    coder_.end_pcm();
    border.bottom = border.right = {{16, 16, 16, 16}, {{16, 16}, {16, 16}}, 7};
  }

  // Writes mb_type up to coded_block_pattern.
  MILLRACE_FUNCTION void write_intra(const Neighbours& around) {
    const Macroblock& macroblock = *around.current;
    if (macroblock.type == MacroblockType::kIntra16x16) {
      const int luma = (macroblock.coded_block_pattern & 15) != 0 ? 12 : 0;
      const int chroma = macroblock.coded_block_pattern >> 4;
      write_intra_type(around, 1 + macroblock.intra_modes[0] + 4 * chroma + luma);
      write_chroma_mode(around);
      return;
    }
    write_intra_type(around, 0);
    if (slice_.has_8x8_transform) {
      write_transform_flag(around, macroblock.type == MacroblockType::kIntra8x8);
    }
    write_intra_modes(around);
    write_chroma_mode(around);
    write_coded_block_pattern(around, false);
  }

  MILLRACE_NOINLINE_FUNCTION void write_intra_modes(const Neighbours& around) {
    const Macroblock& macroblock = *around.current;
    const bool is_8x8 = macroblock.type == MacroblockType::kIntra8x8;
    IntraModeGrid modes(around, slice_.has_constrained_intra_prediction);
    for (int index = 0; index < 16; index += is_8x8 ? 4 : 1) {
      const int x = block_column(index);
      const int y = block_row(index);
      const int mode = macroblock.intra_modes[4 * y + x];
      const int predicted = modes.predicted(x, y);
      coder_.intra_mode(mode == predicted ? -1 : mode - (mode > predicted ? 1 : 0));
      if (is_8x8) {
        modes.set_8x8(x, y, mode);
      } else {
        modes.set(x, y, mode);
      }
    }
  }

  MILLRACE_FUNCTION void write_chroma_mode(const Neighbours& around) {
    const int mode = around.current->intra_chroma_mode;
    if constexpr (kIsCabac) {
      coder_.chroma_mode(chroma_mode_increment(around), mode);
    } else {
      coder_.unsigned_code(mode);
    }
  }

  MILLRACE_FUNCTION void write_transform_flag(const Neighbours& around, bool is_8x8) {
    if constexpr (kIsCabac) {
      coder_.transform_flag(transform_increment(around), is_8x8);
    } else {
      coder_.flag(is_8x8);
    }
  }

  MILLRACE_FUNCTION void write_coded_block_pattern(const Neighbours& around, bool is_inter) {
    const int pattern = around.current->coded_block_pattern;
    if constexpr (kIsCabac) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        // Bits from this one on are not read.
        coder_.luma_pattern_bit(luma_pattern_increment(around, pattern, quarter),
                                (pattern >> quarter & 1) != 0);
      }
      const ChromaPatternIncrements increments = chroma_pattern_increments(around);
      coder_.chroma_pattern(increments.first, increments.second, pattern >> 4);
    } else {
      coder_.coded_block_pattern(is_inter, pattern);
    }
  }

  // Writes mb_type up to transform_size_8x8_flag.
  MILLRACE_FUNCTION void write_inter(const Neighbours& around, const BordersAround& borders,
                                     CodedBorder& border) {
    const Macroblock& macroblock = *around.current;
    InterSyntax<Coder>(around, borders, slice_.reference_count, coder_).write(border);
    write_coded_block_pattern(around, true);
    if (slice_.has_8x8_transform && (macroblock.coded_block_pattern & 15) != 0 &&
        has_partitions_of_8x8(macroblock)) {
      write_transform_flag(around, macroblock.has_8x8_transform);
    }
  }

  // Writes mb_qp_delta and the residual.
  MILLRACE_FUNCTION void write_residual(const Macroblock& macroblock, const BordersAround& borders,
                                        const MacroblockLevels& levels, SyntaxState& state,
                                        CodedBorder& border) {
    if (macroblock.coded_block_pattern == 0 && macroblock.type != MacroblockType::kIntra16x16) {
      state.is_after_qp_change = false;
      return;
    }
    const int difference = macroblock.qp - state.qp;
    // QP is counted modulo 52.
    const int delta = difference > 25    ? difference - 52
                      : difference < -26 ? difference + 52
                                         : difference;
    if constexpr (kIsCabac) {
      coder_.qp_delta(state.is_after_qp_change, delta);
    } else {
      coder_.signed_code(delta);
    }
    state.qp = macroblock.qp;
    state.is_after_qp_change = delta != 0;
    const CodedEdge missing = missing_edge(kIsCabac, is_intra(macroblock.type));
    const EdgesAround edges = {borders.above != nullptr ? borders.above->bottom : missing,
                               borders.left != nullptr ? borders.left->right : missing};
    ResidualSyntax<Coder>(macroblock, levels, edges, coder_).write(border.bottom, border.right);
  }

  const SliceSyntax& slice_;
  Coder& coder_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_SYNTAX_H_

// SPDX-License-Identifier: Apache-2.0

// Writes the residual of a macroblock (ITU-T H.264 clause 7.3.5.3).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_RESIDUAL_SYNTAX_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_RESIDUAL_SYNTAX_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>
#include <millrace/algorithms/h264/entropy/coded_counts.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Writes one macroblock's residual; the mirror image of ResidualParser. `Coder` is CavlcCoder or
// CabacCoder.
template <class Coder>
class ResidualSyntax {
 public:
  MILLRACE_FUNCTION ResidualSyntax(const Macroblock& macroblock, const MacroblockLevels& levels,
                                   const EdgesAround& around, Coder& coder)
      : macroblock_(macroblock), levels_(levels), around_(around), coder_(coder) {}

  // Fills the edges of the macroblock.
  MILLRACE_FUNCTION void write(CodedEdge& bottom, CodedEdge& right) {
    luma_.set_border(around_.above.luma, around_.left.luma);
    luma_.clear();
    if (macroblock_.type == MacroblockType::kIntra16x16) {
      write_intra_16x16();
    } else if (macroblock_.has_8x8_transform) {
      write_luma_8x8();
    } else {
      write_luma();
    }
    luma_.copy_edges(bottom.luma, right.luma);
    if (macroblock_.coded_block_pattern >> 4 != 0) {
      write_chroma(bottom, right);
    } else {
      bottom.clear_chroma();
      right.clear_chroma();
    }
    bottom.has_dc = has_dc_;
    right.has_dc = has_dc_;
  }

 private:
  // Writes 4x4 block (x, y) of luma. Returns the number of its coefficients.
  template <BlockCategory category, int maximum>
  MILLRACE_NOINLINE_FUNCTION int write_luma_block(int x, int y, const std::int16_t* levels) {
    if constexpr (Coder::kIsCabac) {
      return coder_.template residual_block<category, maximum>(luma_.coded_neighbours(x, y),
                                                               levels);
    } else {
      return coder_.template residual_block<maximum>(
          coder_.token_class_of(luma_.sum_of_neighbours(x, y)), levels);
    }
  }

  // Returns the levels of 4x4 block `index` in coding order.
  MILLRACE_FUNCTION const std::int16_t* levels_of(int index) const {
    return levels_.luma[index >> 2] + 16 * (index & 3);
  }

  MILLRACE_FUNCTION void write_luma() {
    for (int index = 0; index < 16; ++index) {
      if ((macroblock_.coded_block_pattern >> (index >> 2) & 1) != 0) {
        const int x = block_column(index);
        const int y = block_row(index);
        luma_.set(x, y, write_luma_block<BlockCategory::kLuma4x4, 16>(x, y, levels_of(index)));
      }
    }
  }

  MILLRACE_FUNCTION void write_luma_8x8() {
    for (int quarter = 0; quarter < 4; ++quarter) {
      if ((macroblock_.coded_block_pattern >> quarter & 1) != 0) {
        write_block_8x8(quarter);
      }
    }
  }

  // In CAVLC an 8x8 block is four interleaved 4x4 blocks.
  MILLRACE_NOINLINE_FUNCTION void write_block_8x8(int quarter) {
    const std::int16_t* const levels = levels_.luma[quarter];
    if constexpr (Coder::kIsCabac) {
      coder_.template residual_block<BlockCategory::kLuma8x8, 64>(0, levels);
    }
    for (int block = 0; block < 4; ++block) {
      const int x = block_column(4 * quarter + block);
      const int y = block_row(4 * quarter + block);
      int count = 1;  // CABAC infers coded_block_flag.
      if constexpr (!Coder::kIsCabac) {
        std::int16_t interleaved[16];
        for (int k = 0; k < 16; ++k) {
          interleaved[k] = levels[4 * k + block];
        }
        count = write_luma_block<BlockCategory::kLuma4x4, 16>(x, y, interleaved);
      }
      luma_.set(x, y, count);
    }
  }

  MILLRACE_NOINLINE_FUNCTION void write_intra_16x16() {
    int dc;
    if constexpr (Coder::kIsCabac) {
      dc = coder_.template residual_block<BlockCategory::kLumaDc, 16>(around_.dc_increment(0),
                                                                      levels_.luma_dc);
    } else {
      dc = write_luma_block<BlockCategory::kLumaDc, 16>(0, 0, levels_.luma_dc);
    }
    has_dc_ |= dc != 0 ? 1 : 0;
    if ((macroblock_.coded_block_pattern & 15) != 0) {
      for (int index = 0; index < 16; ++index) {
        const int x = block_column(index);
        const int y = block_row(index);
        luma_.set(x, y, write_luma_block<BlockCategory::kLumaAc, 15>(x, y, levels_of(index) + 1));
      }
    }
  }

  MILLRACE_FUNCTION void write_chroma(CodedEdge& bottom, CodedEdge& right) {
    for (int component = 0; component < 2; ++component) {
      const std::int16_t* const levels = levels_.chroma_dc[component];
      int count;
      if constexpr (Coder::kIsCabac) {
        count = coder_.template residual_block<BlockCategory::kChromaDc, 4>(
            around_.dc_increment(1 + component), levels);
      } else {
        count = coder_.template residual_block<4>(kChromaDcTokens, levels);
      }
      has_dc_ |= static_cast<std::uint8_t>((count != 0 ? 2 : 0) << component);
    }
    for (int component = 0; component < 2; ++component) {
      CountGrid<2> grid;
      grid.set_border(around_.above.chroma[component], around_.left.chroma[component]);
      grid.clear();
      if (macroblock_.coded_block_pattern >> 4 == 2) {
        for (int block = 0; block < 4; ++block) {
          write_chroma_ac(component, block, grid);
        }
      }
      grid.copy_edges(bottom.chroma[component], right.chroma[component]);
    }
  }

  MILLRACE_NOINLINE_FUNCTION void write_chroma_ac(int component, int block, CountGrid<2>& grid) {
    const std::int16_t* const levels = levels_.chroma_ac[component][block] + 1;
    const int x = block & 1;
    const int y = block >> 1;
    int count;
    if constexpr (Coder::kIsCabac) {
      count = coder_.template residual_block<BlockCategory::kChromaAc, 15>(
          grid.coded_neighbours(x, y), levels);
    } else {
      count = coder_.template residual_block<15>(
          coder_.token_class_of(grid.sum_of_neighbours(x, y)), levels);
    }
    grid.set(x, y, count);
  }

  const Macroblock& macroblock_;
  const MacroblockLevels& levels_;
  const EdgesAround& around_;
  Coder& coder_;
  std::uint8_t has_dc_ = 0;
  CountGrid<4> luma_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_RESIDUAL_SYNTAX_H_

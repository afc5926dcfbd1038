// SPDX-License-Identifier: Apache-2.0

// Parses the residual of a macroblock (ITU-T H.264 clause 7.3.5.3) and dequantises it (clauses
// 8.5.6 to 8.5.13).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_RESIDUAL_PARSER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_RESIDUAL_PARSER_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_reader.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_reader.h>
#include <millrace/algorithms/h264/entropy/coded_counts.h>
#include <millrace/algorithms/h264/entropy/common/residual_target.h>
#include <millrace/algorithms/h264/entropy/dc_transforms.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Parses one macroblock's residual.
template <class Reader>
class ResidualParser {
 public:
  // `next` has memory for all coefficients of the macroblock, or is null if they are not wanted.
  MILLRACE_FUNCTION ResidualParser(const SliceParameters& slice, Reader& reader,
                                   const EdgesAround& around, Macroblock& macroblock,
                                   CodedCoefficient* next)
      : slice_(slice),
        reader_(reader),
        around_(around),
        macroblock_(macroblock),
        next_(next),
        is_intra_(is_intra(macroblock.type)) {}

  // Fills coded_blocks and the bits of luma and chroma of the macroblock, and its edges. Returns
  // the end of its coefficients.
  MILLRACE_FUNCTION CodedCoefficient* parse(CodedEdge& bottom, CodedEdge& right) {
    const std::size_t start = reader_.position();
    has_dc_ = 0;
    luma_.set_border(around_.above.luma, around_.left.luma);
    luma_.clear();
    if (macroblock_.type == MacroblockType::kIntra16x16) {
      parse_intra_16x16();
    } else {
      parse_luma();
    }
    const std::size_t middle = reader_.position();
    luma_.copy_edges(bottom.luma, right.luma);
    if (macroblock_.coded_block_pattern >> 4 != 0) {
      parse_chroma(bottom, right);
    } else {
      bottom.clear_chroma();
      right.clear_chroma();
    }
    bottom.has_dc = has_dc_;
    right.has_dc = has_dc_;
    macroblock_.bits[static_cast<int>(SyntaxClass::kLuma)] =
        static_cast<std::uint32_t>(middle - start);
    macroblock_.bits[static_cast<int>(SyntaxClass::kChroma)] =
        static_cast<std::uint32_t>(reader_.position() - middle);
    return next_;
  }

 private:
  // Reads a 4x4 block (x, y) of luma.
  template <BlockCategory category, int maximum, class Target>
  MILLRACE_FUNCTION int read_luma(int x, int y, Target& target) {
    if constexpr (Reader::kIsCabac) {
      return reader_.template residual_block<category, maximum>(luma_.coded_neighbours(x, y),
                                                                target);
    } else {
      return reader_.template residual_block<maximum>(
          reader_.token_class_of(luma_.sum_of_neighbours(x, y)), target);
    }
  }

  // Returns the index of the first coefficient of a 4x4 block of luma.
  MILLRACE_FUNCTION static int luma_block(int x, int y) { return 16 * 4 * y + 4 * x; }

  MILLRACE_NOINLINE_FUNCTION void parse_luma() {
    if (macroblock_.has_8x8_transform) {
      parse_luma_8x8();
      return;
    }
    Target4x4 target = {next_, slice_.scans->luma_4x4,
                        slice_.scales->scales_4x4[is_intra_ ? 0 : 3][macroblock_.qp]};
    std::uint32_t coded = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      if ((macroblock_.coded_block_pattern >> quarter & 1) == 0) {
        continue;
      }
      const int left = 2 * (quarter & 1);
      const int top = quarter & 2;
      for (int block = 0; block < 4; ++block) {
        const int x = left + (block & 1);
        const int y = top + (block >> 1);
        target.first = luma_block(x, y);
        const int count = read_luma<BlockCategory::kLuma4x4, 16>(x, y, target);
        luma_.set(x, y, count);
        coded |= (count != 0 ? 1U : 0U) << (4 * y + x);
      }
    }
    macroblock_.coded_blocks |= coded;
    next_ = target.next;
  }

  MILLRACE_NOINLINE_FUNCTION void parse_luma_8x8() {
    const std::int32_t* const scales = slice_.scales->scales_8x8[is_intra_ ? 0 : 1][macroblock_.qp];
    std::uint32_t coded = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      if ((macroblock_.coded_block_pattern >> quarter & 1) != 0) {
        const int left = 2 * (quarter & 1);
        const int top = quarter & 2;
        const int count = parse_block_8x8(left, top, scales);
        coded |= (count != 0 ? 0x33U : 0U) << (4 * top + left);
      }
    }
    macroblock_.coded_blocks |= coded;
  }

  // The 8x8 block with 4x4 block (left, top) first. In CAVLC it is four interleaved 4x4 blocks.
  // Returns the number of its coefficients.
  MILLRACE_FUNCTION int parse_block_8x8(int left, int top, const std::int32_t* scales) {
    int total = 0;
    if constexpr (Reader::kIsCabac) {
      Target8x8 target = {next_, slice_.scans->luma_8x8, scales, luma_block(left, top)};
      total = reader_.template residual_block<BlockCategory::kLuma8x8, 64>(0, target);
      for (int block = 0; block < 4; ++block) {
        luma_.set(left + (block & 1), top + (block >> 1), 1);  // Its coded_block_flag is inferred.
      }
      next_ = target.next;
    } else {
      Interleaved8x8Target target = {next_, slice_.scans->luma_8x8, scales, luma_block(left, top)};
      for (int block = 0; block < 4; ++block) {
        const int x = left + (block & 1);
        const int y = top + (block >> 1);
        const int count = read_luma<BlockCategory::kLuma4x4, 16>(x, y, target);
        luma_.set(x, y, count);
        total += count;
        ++target.offsets;
        ++target.scales;
      }
      next_ = target.next;
    }
    return total;
  }

  MILLRACE_NOINLINE_FUNCTION void parse_intra_16x16() {
    const std::int32_t* scales = slice_.scales->scales_4x4[0][macroblock_.qp];
    std::int16_t dc[16] = {};
    LevelTarget dc_target = {dc, slice_.scans->raster_4x4};
    int count;
    if constexpr (Reader::kIsCabac) {
      count = reader_.template residual_block<BlockCategory::kLumaDc, 16>(around_.dc_increment(0),
                                                                          dc_target);
    } else {
      count = read_luma<BlockCategory::kLumaDc, 16>(0, 0, dc_target);
    }
    has_dc_ |= count != 0 ? 1 : 0;
    if (next_ != nullptr && count != 0) {
      transform_luma_dc(scales[0], dc);
      for (int block = 0; block < 16; ++block) {
        next_ = append_coefficient(next_, luma_block(block & 3, block >> 2), dc[block]);
      }
    }
    if ((macroblock_.coded_block_pattern & 15) != 0) {
      Target4x4 target = {next_, slice_.scans->luma_4x4 + 1, scales + 1};
      std::uint32_t coded = 0;
      for (int block = 0; block < 16; ++block) {
        const int x = block_column(block);
        const int y = block_row(block);
        target.first = luma_block(x, y);
        const int ac = read_luma<BlockCategory::kLumaAc, 15>(x, y, target);
        luma_.set(x, y, ac);
        coded |= (ac != 0 ? 1U : 0U) << (4 * y + x);
      }
      macroblock_.coded_blocks |= coded;
      next_ = target.next;
    }
  }

  MILLRACE_NOINLINE_FUNCTION void parse_chroma(CodedEdge& bottom, CodedEdge& right) {
    for (int component = 0; component < 2; ++component) {
      std::int16_t dc[4] = {};
      LevelTarget target = {dc, slice_.scans->in_order};
      int count;
      if constexpr (Reader::kIsCabac) {
        count = reader_.template residual_block<BlockCategory::kChromaDc, 4>(
            around_.dc_increment(1 + component), target);
      } else {
        count = reader_.template residual_block<4>(kChromaDcTokens, target);
      }
      has_dc_ |= static_cast<std::uint8_t>((count != 0 ? 2 : 0) << component);
      if (next_ != nullptr && count != 0) {
        transform_chroma_dc(scales_of(component)[0], dc);
        for (int block = 0; block < 4; ++block) {
          next_ =
              append_coefficient(next_, chroma_block(component, block & 1, block >> 1), dc[block]);
        }
      }
    }
    for (int component = 0; component < 2; ++component) {
      CountGrid<2> grid;
      grid.set_border(around_.above.chroma[component], around_.left.chroma[component]);
      grid.clear();
      if ((macroblock_.coded_block_pattern >> 4) == 2) {
        parse_chroma_ac(component, grid);
      }
      grid.copy_edges(bottom.chroma[component], right.chroma[component]);
    }
  }

  MILLRACE_NOINLINE_FUNCTION void parse_chroma_ac(int component, CountGrid<2>& grid) {
    Target4x4 target = {next_, slice_.scans->chroma_4x4 + 1, scales_of(component) + 1};
    for (int block = 0; block < 4; ++block) {
      const int x = block & 1;
      const int y = block >> 1;
      target.first = chroma_block(component, x, y);
      int count;
      if constexpr (Reader::kIsCabac) {
        count = reader_.template residual_block<BlockCategory::kChromaAc, 15>(
            grid.coded_neighbours(x, y), target);
      } else {
        count = reader_.template residual_block<15>(
            reader_.token_class_of(grid.sum_of_neighbours(x, y)), target);
      }
      grid.set(x, y, count);
      macroblock_.coded_blocks |= (count != 0 ? 1U : 0U) << (16 + 4 * component + block);
    }
    next_ = target.next;
  }

  MILLRACE_FUNCTION const std::int32_t* scales_of(int component) const {
    return slice_.scales
        ->scales_4x4[(is_intra_ ? 1 : 4) + component][macroblock_.chroma_qp[component]];
  }
  // Returns the index of the first coefficient of a block of chroma.
  MILLRACE_FUNCTION static int chroma_block(int component, int x, int y) {
    return first_of_chroma(component) + 8 * 4 * y + 4 * x;
  }

  const SliceParameters& slice_;
  Reader& reader_;
  const EdgesAround& around_;
  Macroblock& macroblock_;
  CodedCoefficient* next_;
  bool is_intra_;
  std::uint8_t has_dc_ = 0;
  CountGrid<4> luma_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_RESIDUAL_PARSER_H_

// SPDX-License-Identifier: Apache-2.0

// Transforms, quantises and reconstructs the residual of one macroblock.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RESIDUAL_CODING_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RESIDUAL_CODING_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_transform.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_choice.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/rate_model.h>
#include <millrace/algorithms/h264/encoder/macroblock/sample_area.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/entropy/dc_transforms.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns the levels of 4x4 block `block`, in raster order, in MacroblockLevels::luma.
template <class Levels>
MILLRACE_FUNCTION auto* block_levels(Levels& levels, int block) {
  const int x = block % 4;
  const int y = block / 4;
  return levels.luma[y / 2 * 2 + x / 2] + 16 * (y % 2 * 2 + x % 2);
}

// Returns the score by which a block's levels are kept: single small ones at high frequencies cost
// more bits than they gain. A level of 1 counts by the zeros before it, a larger one 9.
MILLRACE_FUNCTION inline int levels_score(const std::int16_t* levels, int first, int count) {
  constexpr std::uint8_t kScores[16] = {3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  constexpr std::uint8_t kScores8x8[64] = {3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  int score = 0;
  int zeros = 0;
  for (int k = first; k < count; ++k) {
    if (levels[k] == 0) {
      ++zeros;
      continue;
    }
    if (levels[k] > 1 || levels[k] < -1) return 9;
    score += count == 64 ? kScores8x8[zeros] : kScores[zeros];
    zeros = 0;
  }
  return score;
}

// Names a step that is done for each block of a macroblock.
enum class BlockStep : std::uint8_t {
  kQuantiseLuma,    // 4x4 blocks.
  kQuantiseLumaAc,  // The same without DC, which goes to the candidate's luma_dc.
  kQuantiseChroma,  // Excludes DC, which goes to chroma_dc.
  kAddLuma,         // Add the residual to the prediction.
  kAddChroma
};

// Codes a candidate, whose area has its prediction, and adds the residual to it. With a rate model,
// which has begun, levels are chosen by their bits and squared error; null: they are rounded, and
// dropped where their score is low. Kernels may share the blocks of a macroblock among lanes
// (for_each_block()).
template <class Kernels>
class ResidualCoding {
 public:
  MILLRACE_FUNCTION ResidualCoding(const Kernels& kernels, const PictureCoding& coding, int column,
                                   int row, MacroblockCandidate& candidate, RateModel* rates)
      : kernels_(kernels),
        coding_(coding),
        column_(column),
        row_(row),
        candidate_(candidate),
        area_(candidate.area),
        macroblock_(candidate.macroblock),
        levels_(candidate.levels),
        coefficients_(candidate.coefficients),
        rates_(rates),
        source_{coding.source_rows(0, column, row), coding.source_rows(1, column, row),
                coding.source_rows(2, column, row)} {}

  // Returns the rounding offset of levels: that of the nearest level where they are chosen later.
  MILLRACE_FUNCTION int rounding() const {
    if (rates_ != nullptr) return 512;
    return dc_rounding();
  }
  MILLRACE_FUNCTION int dc_rounding() const {
    return is_intra(macroblock_.type) ? kIntraRounding : kInterRounding;
  }

  // Codes one block of n x n luma samples at block (x, y), in units of n, without reading others.
  // Adds its residual and returns true if it has levels.
  template <int n>
  MILLRACE_FUNCTION bool code_block(int x, int y) {
    if (!quantise_block<n>(x, y)) return false;
    add_block<n>(x, y);
    return true;
  }

  // Gives the rate model the number of levels of a block.
  template <int n>
  MILLRACE_FUNCTION void set_counts(int x, int y) {
    if constexpr (n == 8) {
      set_quarter_counts(x, y, levels_.luma[2 * y + x]);
    } else {
      rates_->set_luma(x, y, count_of<16>(block_levels(levels_, 4 * y + x)));
    }
  }

  // Does a step for one block, 0 to 15 of luma in raster order, or 4 * component + block of chroma.
  // Blocks do not depend on each other in one step without a rate model. Returns true if the block
  // has levels.
  MILLRACE_NOINLINE_FUNCTION bool do_step(BlockStep step, int block) {
    const int x = block % 4;
    const int y = block / 4;
    switch (step) {
      case BlockStep::kQuantiseLuma: return quantise_block<4>(x, y);
      case BlockStep::kQuantiseLumaAc: return quantise_luma_ac(x, y);
      case BlockStep::kQuantiseChroma: return quantise_chroma(block / 4, block % 4);
      case BlockStep::kAddLuma: add_block<4>(x, y); return true;
      case BlockStep::kAddChroma: add_chroma(block / 4, block % 4); return true;
    }
    return false;
  }

  // Return the arguments that the object was made of, so that lanes can make it again.
  MILLRACE_FUNCTION const PictureCoding& coding() const { return coding_; }
  MILLRACE_FUNCTION int column() const { return column_; }
  MILLRACE_FUNCTION int row() const { return row_; }
  MILLRACE_FUNCTION MacroblockCandidate& candidate() const { return candidate_; }

  // Codes the luma of an inter macroblock, dropping levels that cost more bits than they gain.
  MILLRACE_NOINLINE_FUNCTION void code_inter_luma() {
    std::uint32_t coded = 0;
    int total_score = 0;
    // With a rate model, blocks depend on those before.
    const bool is_quantised = rates_ == nullptr && !macroblock_.has_8x8_transform;
    std::uint32_t quantised = 0;
    if (is_quantised) {
      std::int16_t dc[16];
      const std::uint32_t blocks =
          kernels_.template blocks_above<16>(source_[0], {area_.samples(0), SampleArea::kStride},
                                             coding_.luma_quantiser->inter_limits_4x4, dc);
      for (int block = 0; block < 16; ++block) {
        if ((blocks >> block & 1) == 0) clear_block<4>(block % 4, block / 4);
      }
      quantised = kernels_.for_each_block(*this, BlockStep::kQuantiseLuma, blocks);
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int x = quarter % 2;
      const int y = quarter / 2;
      gain_ = {};
      std::uint32_t bits = 0;
      int score = 0;
      if (macroblock_.has_8x8_transform) {
        if (quantise_block<8>(x, y)) bits = 0x33u << (8 * y + 2 * x);
        score = levels_score(levels_.luma[quarter], 0, 64);
      } else {
        for (int i = 0; i < 4; ++i) {
          const int bx = 2 * x + i % 2;
          const int by = 2 * y + i / 2;
          const bool has_levels =
              is_quantised ? (quantised >> (4 * by + bx) & 1) != 0 : quantise_block<4>(bx, by);
          if (!has_levels) continue;
          bits |= 1u << (4 * by + bx);
          score += levels_score(block_levels(levels_, 4 * by + bx), 0, 16);
        }
      }
      if (rates_ != nullptr ? !is_gain_enough(coding_.mode_lambda) : score < kLeastScoreOfQuarter) {
        bits = 0;
        score = 0;
        if (rates_ != nullptr) set_quarter_counts(x, y, nullptr);
      }
      total_score += score;
      coded |= bits;
    }
    if (rates_ == nullptr && total_score < kLeastScore) coded = 0;
    finish_luma(coded);
    if (!macroblock_.has_8x8_transform) {
      kernels_.for_each_block(*this, BlockStep::kAddLuma, coded);
      return;
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int x = quarter % 2;
      const int y = quarter / 2;
      if ((coded >> (8 * y + 2 * x) & 1) != 0) add_block<8>(x, y);
    }
  }

  // Codes the luma of a kIntra16x16 macroblock.
  MILLRACE_NOINLINE_FUNCTION void code_intra_16x16_luma() {
    const std::uint32_t coded = for_all_blocks(BlockStep::kQuantiseLumaAc, 16);
    if (coded == 0) {
      for (int block = 0; block < 16; ++block) clear_block<4>(block % 4, block / 4);
    }
    macroblock_.coded_blocks = (macroblock_.coded_blocks & ~0xffffu) | coded;
    macroblock_.coded_block_pattern =
        static_cast<std::uint8_t>((macroblock_.coded_block_pattern & ~15) | (coded != 0 ? 15 : 0));
    code_luma_dc(candidate_.luma_dc);
    std::uint32_t added = coded;
    for (int block = 0; block < 16; ++block) {
      const bool has_dc = coefficients_.luma[4 * (kLumaPitch * (block / 4) + block % 4)] != 0;
      if (has_dc) added |= 1u << block;
    }
    kernels_.for_each_block(*this, BlockStep::kAddLuma, added);
  }

  // Sets the coded blocks and the coded block pattern of luma, and clears the levels of 8x8 blocks
  // that are not coded.
  MILLRACE_FUNCTION void finish_luma(std::uint32_t coded) {
    int pattern = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const std::uint32_t mask = 0x33u << (8 * (quarter / 2) + 2 * (quarter % 2));
      if ((coded & mask) != 0) {
        pattern |= 1 << quarter;
      } else {
        for (std::int16_t& level : levels_.luma[quarter]) level = 0;
      }
    }
    macroblock_.coded_blocks = (macroblock_.coded_blocks & ~0xffffu) | coded;
    macroblock_.coded_block_pattern =
        static_cast<std::uint8_t>((macroblock_.coded_block_pattern & ~15) | pattern);
  }

  // Codes both chroma components.
  MILLRACE_NOINLINE_FUNCTION void code_chroma() {
    std::uint32_t coded = 0;
    bool has_dc = false;
    const bool is_quantised = rates_ == nullptr;
    std::uint32_t quantised = 0;
    if (is_quantised) {
      quantised = kernels_.for_each_block(*this, BlockStep::kQuantiseChroma,
                                          is_intra(macroblock_.type) ? 0xff : clear_low_chroma());
    }
    for (int component = 0; component < 2; ++component) {
      int score = 0;
      std::uint32_t bits = 0;
      gain_ = {};
      for (int block = 0; block < 4; ++block) {
        const bool has_levels = is_quantised ? (quantised >> (4 * component + block) & 1) != 0
                                             : quantise_chroma(component, block);
        if (!has_levels) continue;
        bits |= 1u << (16 + 4 * component + block);
        score += levels_score(levels_.chroma_ac[component][block], 1, 16);
      }
      if (rates_ != nullptr ? !is_gain_enough(coding_.chroma_lambda())
                            : score < kLeastScoreOfChroma) {
        bits = 0;
        for (int block = 0; block < 4; ++block) {
          clear_chroma(component, block);
          if (rates_ != nullptr) rates_->set_chroma(component, block % 2, block / 2, 0);
        }
      }
      coded |= bits;
      has_dc = code_chroma_dc(component, candidate_.chroma_dc[component]) || has_dc;
    }
    macroblock_.coded_blocks = (macroblock_.coded_blocks & 0xffffu) | coded;
    const int pattern = coded != 0 ? 2 : has_dc ? 1 : 0;
    macroblock_.coded_block_pattern =
        static_cast<std::uint8_t>((macroblock_.coded_block_pattern & 15) | pattern << 4);
    std::uint32_t added = coded >> 16;
    for (int i = 0; i < 8; ++i) added |= chroma(i / 4, i % 4)[0] != 0 ? 1u << i : 0;
    kernels_.for_each_block(*this, BlockStep::kAddChroma, added);
  }

 private:
  static constexpr int kLeastScoreOfQuarter = 4;
  static constexpr int kLeastScore = 6;
  static constexpr int kLeastScoreOfChroma = 4;

  template <int n>
  MILLRACE_FUNCTION void transform(int plane, int x, int y, std::int16_t (&w)[n * n]) const {
    const SampleRows from = source_[plane];
    kernels_.template transform_difference<n>(
        {from.samples + y * from.stride + x, from.stride},
        {area_.samples(plane) + y * SampleArea::kStride + x, SampleArea::kStride}, w);
  }

  // Clears the chroma blocks of an inter macroblock that have no levels without DC, and sets their
  // DC. Returns a mask of the others.
  MILLRACE_FUNCTION std::uint32_t clear_low_chroma() {
    std::int16_t limits[16];
    for (int i = 0; i < 16; ++i) limits[i] = coding_.chroma_quantiser->inter_limits_4x4[i];
    limits[0] = 0x7fff;  // DC is coded separately.
    std::uint32_t mask = 0;
    for (int component = 0; component < 2; ++component) {
      const std::uint32_t blocks = kernels_.template blocks_above<8>(
          source_[1 + component], {area_.samples(1 + component), SampleArea::kStride}, limits,
          candidate_.chroma_dc[component]);
      mask |= blocks << 4 * component;
      for (int block = 0; block < 4; ++block) {
        if ((blocks >> block & 1) == 0) clear_chroma(component, block);
      }
    }
    return mask;
  }

  // Does a step for `count` blocks; with a rate model in their order. Returns a mask of those that
  // have levels.
  MILLRACE_FUNCTION std::uint32_t for_all_blocks(BlockStep step, int count) {
    if (rates_ == nullptr) return kernels_.for_each_block(*this, step, (1u << count) - 1);
    std::uint32_t mask = 0;
    for (int block = 0; block < count; ++block) mask |= do_step(step, block) ? 1u << block : 0;
    return mask;
  }

  MILLRACE_FUNCTION bool quantise_luma_ac(int x, int y) {
    std::int16_t w[16];
    transform<4>(0, 4 * x, 4 * y, w);
    candidate_.luma_dc[4 * y + x] = w[0];
    std::int16_t* const levels = block_levels(levels_, 4 * y + x);
    const bool has_levels =
        quantise<4>(*coding_.luma_quantiser, w, 1,
                    {.levels = levels,
                     .coefficients = coefficients_.luma + 4 * (kLumaPitch * y + x),
                     .pitch = kLumaPitch},
                    [&](const std::int16_t* of) { return rates_->luma_ac(x, y, of + 1); });
    if (rates_ != nullptr) rates_->set_luma(x, y, count_of<16>(levels));
    return has_levels;
  }

  MILLRACE_FUNCTION bool quantise_chroma(int component, int block) {
    std::int16_t w[16];
    transform<4>(1 + component, 4 * (block % 2), 4 * (block / 2), w);
    candidate_.chroma_dc[component][block] = w[0];
    std::int16_t* const levels = levels_.chroma_ac[component][block];
    const auto rate = [&](const std::int16_t* of) {
      return rates_->chroma_ac(component, block % 2, block / 2, of + 1);
    };
    const bool has_levels = quantise<4>(
        *coding_.chroma_quantiser, w, 1,
        {.levels = levels, .coefficients = chroma(component, block), .pitch = kChromaPitch}, rate);
    if (rates_ != nullptr) {
      rates_->set_chroma(component, block % 2, block / 2, count_of<16>(levels));
    }
    return has_levels;
  }

  MILLRACE_FUNCTION void add_chroma(int component, int block) {
    kernels_.template add_residual<4, kChromaPitch>(
        chroma(component, block),
        area_.samples(1 + component) + 4 * (block / 2 * SampleArea::kStride + block % 2),
        SampleArea::kStride);
  }

  template <int n>
  MILLRACE_FUNCTION bool quantise_block(int x, int y) {
    std::int16_t w[n * n];
    transform<n>(0, n * x, n * y, w);
    std::int16_t* const levels =
        n == 8 ? levels_.luma[2 * y + x] : block_levels(levels_, 4 * y + x);
    const auto rate = [&](const std::int16_t* of) {
      return n == 8 ? rates_->luma_8x8(2 * x, 2 * y, of) : rates_->luma_4x4(x, y, of);
    };
    const bool has_levels =
        quantise<n>(*coding_.luma_quantiser, w, 0,
                    {.levels = levels,
                     .coefficients = coefficients_.luma + n * (kLumaPitch * y + x),
                     .pitch = kLumaPitch},
                    rate);
    if (rates_ != nullptr) set_counts<n>(x, y);
    return has_levels;
  }

  template <int n>
  MILLRACE_FUNCTION static int count_of(const std::int16_t* levels) {
    int count = 0;
    for (int k = 0; k < n; ++k) count += levels[k] != 0 ? 1 : 0;
    return count;
  }

  // Sets the counts of the 4x4 blocks of an 8x8 block; in CAVLC each has every fourth level. Null
  // means no levels.
  MILLRACE_FUNCTION void set_quarter_counts(int x, int y, const std::int16_t* levels) {
    int counts[4] = {};
    int total = 0;
    for (int k = 0; levels != nullptr && k < 64; ++k) {
      counts[k % 4] += levels[k] != 0 ? 1 : 0;
      total += levels[k] != 0 ? 1 : 0;
    }
    for (int i = 0; i < 4; ++i) {
      rates_->set_luma(2 * x + i % 2, 2 * y + i / 2, coding_.is_cabac ? total : counts[i]);
    }
  }

  // Returns true if the levels of the blocks gain more than a single "no levels" bit for all of
  // them would save.
  MILLRACE_FUNCTION bool is_gain_enough(std::uint64_t lambda) const {
    return gain_.gain > lambda * gain_.no_bits;
  }

  // Points to the memory for a block's levels and coefficients. The distance between two rows of
  // coefficients is `pitch`.
  struct QuantisedBlock {
    std::int16_t* levels;
    std::int16_t* coefficients;
    int pitch;
  };

  // Writes the levels and the dequantised coefficients from position `first` on; those before are
  // 0.
  template <int n, class Rate>
  MILLRACE_NOINLINE_FUNCTION bool quantise(const LevelQuantiser& quantiser,
                                           const std::int16_t (&w)[n * n], int first,
                                           QuantisedBlock to, const Rate& rate) {
    const auto [levels, coefficients, pitch] = to;
    constexpr ZigzagOrder<n> kOrder = zigzag_order<n>();
    constexpr int kShift = n == 4 ? 4 : 6;
    const int shift = n == 4 ? quantiser.shift_4x4 : quantiser.shift_8x8;
    const std::int32_t* const multipliers =
        n == 4 ? quantiser.multipliers_4x4 : quantiser.multipliers_8x8;
    const std::int32_t* const scales = n == 4 ? quantiser.scales_4x4 : quantiser.scales_8x8;
    std::int16_t rounded[n * n];  // Raster order, as `w`, lets the loop use vectors.
    const std::int32_t* const raster = n == 4 ? quantiser.raster_4x4 : quantiser.raster_8x8;
    const auto offset =
        static_cast<std::int32_t>(static_cast<std::int64_t>(rounding()) << shift >> 10);
    std::int32_t any = 0;
    for (int i = 0; i < n * n; ++i) {
      const std::int32_t size = w[i] < 0 ? -w[i] : w[i];
      // Below 2^31: w has at most 15 bits, and a large one a small multiplier.
      const std::int32_t level = (size * raster[i] + offset) >> shift;
      any |= i < first ? 0 : level;
      rounded[i] = static_cast<std::int16_t>(w[i] < 0 ? -level : level);
    }
    if (any == 0 && rates_ == nullptr) {
      for (int k = 0; k < n * n; ++k) levels[k] = 0;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) coefficients[pitch * j + i] = 0;
      }
      return false;
    }
    for (int k = 0; k < n * n; ++k) levels[k] = rounded[n * kOrder.row[k] + kOrder.column[k]];
    if (first == 1) levels[0] = 0;
    if (rates_ != nullptr) {
      std::int64_t fine[n * n];
      for (int k = first; k < n * n; ++k) {
        fine[k] = fine_level(w[n * kOrder.row[k] + kOrder.column[k]], multipliers[k], shift);
      }
      const std::uint64_t lambda =
          &quantiser == coding_.chroma_quantiser ? coding_.chroma_lambda() : coding_.mode_lambda;
      const LevelGain gain = choose_levels<n * n>(
          levels, first, fine, n == 4 ? quantiser.energies_4x4 : quantiser.energies_8x8, lambda,
          rate);
      gain_.gain += gain.gain;
      gain_.no_bits += gain.no_bits;
    }
    bool has_levels = false;
    for (int k = 0; k < n * n; ++k) {
      const auto scaled = static_cast<std::int64_t>(levels[k]) * scales[k];
      coefficients[pitch * kOrder.column[k] + kOrder.row[k]] =
          saturated((scaled + (1 << (kShift - 1))) >> kShift);
      has_levels = has_levels || levels[k] != 0;
    }
    return has_levels;
  }

  template <int n>
  MILLRACE_FUNCTION void add_block(int x, int y) {
    kernels_.template add_residual<n, kLumaPitch>(
        coefficients_.luma + n * (kLumaPitch * y + x),
        area_.samples(0) + n * (y * SampleArea::kStride + x), SampleArea::kStride);
  }

  template <int n>
  MILLRACE_FUNCTION void clear_block(int x, int y) {
    std::int16_t* const levels =
        n == 8 ? levels_.luma[2 * y + x] : block_levels(levels_, 4 * y + x);
    for (int k = 0; k < n * n; ++k) levels[k] = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        coefficients_.luma[n * (kLumaPitch * y + x) + kLumaPitch * i + j] = 0;
      }
    }
  }

  MILLRACE_FUNCTION std::int16_t* chroma(int component, int block) {
    return coefficients_.chroma[component] + 4 * (kChromaPitch * (block / 2) + block % 2);
  }

  MILLRACE_FUNCTION void clear_chroma(int component, int block) {
    for (std::int16_t& level : levels_.chroma_ac[component][block]) level = 0;
    std::int16_t* const first = chroma(component, block);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) first[kChromaPitch * i + j] = 0;
    }
  }

  // Quantises a DC of a Hadamard transform, whose gain is twice that of the coefficients.
  MILLRACE_FUNCTION int quantised_dc(const LevelQuantiser& quantiser, int w) const {
    return quantised_level(w, quantiser.multipliers_4x4[0], quantiser.shift_4x4 + 1, dc_rounding());
  }

  MILLRACE_FUNCTION void code_luma_dc(const std::int16_t (&dc)[16]) {
    const LevelQuantiser& quantiser = *coding_.luma_quantiser;
    int rows[16];
    for (int i = 0; i < 4; ++i) {
      const std::int16_t* const d = dc + 4 * i;
      rows[4 * i] = d[0] + d[1] + d[2] + d[3];
      rows[4 * i + 1] = d[0] + d[1] - d[2] - d[3];
      rows[4 * i + 2] = d[0] - d[1] - d[2] + d[3];
      rows[4 * i + 3] = d[0] - d[1] + d[2] - d[3];
    }
    std::int16_t levels[16];
    for (int j = 0; j < 4; ++j) {
      const int a = rows[j], b = rows[4 + j], c = rows[8 + j], d = rows[12 + j];
      const int totals[4] = {a + b + c + d, a + b - c - d, a - b - c + d, a - b + c - d};
      for (int i = 0; i < 4; ++i) {
        // Halves the transform's gain of 4 to 2, the gain that quantised_dc() expects.
        const int half = totals[i] < 0 ? -((-totals[i] + 1) >> 1) : (totals[i] + 1) >> 1;
        levels[4 * i + j] = static_cast<std::int16_t>(quantised_dc(quantiser, half));
      }
    }
    constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
    for (int k = 0; k < 16; ++k) {
      levels_.luma_dc[k] = levels[4 * kOrder.row[k] + kOrder.column[k]];
    }
    transform_luma_dc(quantiser.scales_4x4[0], levels);
    for (int block = 0; block < 16; ++block) {
      coefficients_.luma[4 * (kLumaPitch * (block / 4) + block % 4)] = levels[block];
    }
  }

  MILLRACE_FUNCTION bool code_chroma_dc(int component, const std::int16_t (&dc)[4]) {
    const LevelQuantiser& quantiser = *coding_.chroma_quantiser;
    const int a = dc[0], b = dc[1], c = dc[2], d = dc[3];
    const int totals[4] = {a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d};
    std::int16_t levels[4];
    bool has_levels = false;
    for (int k = 0; k < 4; ++k) {
      levels[k] = static_cast<std::int16_t>(quantised_dc(quantiser, totals[k]));
      levels_.chroma_dc[component][k] = levels[k];
      has_levels = has_levels || levels[k] != 0;
    }
    transform_chroma_dc(quantiser.scales_4x4[0], levels);
    for (int block = 0; block < 4; ++block) chroma(component, block)[0] = levels[block];
    return has_levels;
  }

  const Kernels& kernels_;
  const PictureCoding& coding_;
  const int column_, row_;
  MacroblockCandidate& candidate_;
  SampleArea& area_;
  Macroblock& macroblock_;
  MacroblockLevels& levels_;
  MacroblockCoefficients& coefficients_;
  RateModel* const rates_;
  const SampleRows source_[3];
  LevelGain gain_;  // Gain of dropping the macroblock's blocks together.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_RESIDUAL_CODING_H_

// SPDX-License-Identifier: Apache-2.0

// ResidualCoding (residual_coding.h) without a rate model, in lanes: a 4x4 block in the registers
// of one.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_RESIDUAL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_RESIDUAL_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_transform.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/algorithms/h264/entropy/common/residual_target.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns levels_score() of a 4x4 block, without a table in memory.
MILLRACE_FUNCTION inline int score_of_levels(const std::int16_t* levels, int first) {
  constexpr std::uint32_t kScores = 0x56b;  // Two bits for each number of zeros before a level.
  int score = 0;
  std::uint32_t rest = kScores;
  bool is_large = false;
  for (int k = 0; k < 16; ++k) {
    if (k < first) continue;
    const int level = levels[k];
    is_large = is_large || level > 1 || level < -1;
    score += level != 0 ? static_cast<int>(rest & 3) : 0;
    rest = level != 0 ? kScores : rest >> 2;
  }
  return is_large ? 9 : score;
}

// Quantises 16 coefficients in raster order to levels in zig-zag order, from position `first` on;
// those before are 0. `offset` is what is added before a level is rounded down. Returns true if
// there are levels.
MILLRACE_FUNCTION inline bool quantise_4x4(const LevelQuantiser& quantiser, std::int32_t offset,
                                           const std::int16_t (&w)[16], int first,
                                           std::int16_t* levels) {
  constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
  const int shift = quantiser.shift_4x4;
  std::int32_t any = 0;
  for (int k = 0; k < 16; ++k) {
    const int i = 4 * kOrder.row[k] + kOrder.column[k];
    const std::int32_t size = w[i] < 0 ? -w[i] : w[i];
    const std::int32_t level =
        k < first ? 0 : (size * quantiser.multipliers_4x4[k] + offset) >> shift;
    any |= level;
    levels[k] = static_cast<std::int16_t>(w[i] < 0 ? -level : level);
  }
  return any != 0;
}

// Transforms the difference of a 4x4 block between words of the source, at a distance of
// `source_pitch`, and rows of samples at a distance of `pitch`.
MILLRACE_FUNCTION inline void transform_4x4(const std::uint32_t* source, int source_pitch,
                                            const std::uint8_t* samples, int pitch,
                                            std::int16_t (&w)[16]) {
  for (int y = 0; y < 4; ++y) {
    const std::uint32_t from = source[source_pitch * y];
    const std::uint32_t less = *reinterpret_cast<const std::uint32_t*>(samples + pitch * y);
    for (int x = 0; x < 4; ++x) {
      w[4 * y + x] = static_cast<std::int16_t>(static_cast<int>(from >> 8 * x & 0xff) -
                                               static_cast<int>(less >> 8 * x & 0xff));
    }
  }
  for (int i = 0; i < 4; ++i) forward_transform_4(w + i, 4);
  for (int i = 0; i < 4; ++i) forward_transform_4(w + 4 * i, 1);
}

// Returns what is added to a coefficient before its level is rounded down.
MILLRACE_FUNCTION constexpr std::int64_t rounding_offset(int shift, int rounding) {
  return static_cast<std::int64_t>(rounding) << shift >> 10;
}

// Sets the levels of a 4x4 block from the difference between words of its source and rows of its
// prediction (transform_4x4()). Returns their score, with 256 more if there are levels. `dc` takes
// the first coefficient where `first` is 1.
MILLRACE_NOINLINE_FUNCTION inline int quantise_block(const LevelQuantiser& quantiser, int rounding,
                                                     const std::uint32_t* source, int source_pitch,
                                                     const std::uint8_t* samples, int pitch,
                                                     int first, std::int16_t* levels,
                                                     std::int16_t* dc) {
  std::int16_t w[16];
  transform_4x4(source, source_pitch, samples, pitch, w);
  if (first == 1) *dc = w[0];
  const auto offset = static_cast<std::int32_t>(rounding_offset(quantiser.shift_4x4, rounding));
  if (!quantise_4x4(quantiser, offset, w, first, levels)) return 0;
  return 256 + score_of_levels(levels, first);
}

// Adds the residual of a 4x4 block's levels, from position `first` on, to samples in rows at a
// distance of `pitch`. With `first` 1, `dc` is the first coefficient.
MILLRACE_NOINLINE_FUNCTION inline void add_levels(const LevelQuantiser& quantiser,
                                                  const std::int16_t* levels, int first,
                                                  std::int16_t dc, std::uint8_t* samples,
                                                  int pitch) {
  constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
  std::int16_t coefficients[16];
  coefficients[0] = dc;
  for (int k = 0; k < 16; ++k) {
    if (k < first) continue;
    const std::int32_t scaled = levels[k] * quantiser.scales_4x4[k];
    coefficients[4 * kOrder.column[k] + kOrder.row[k]] = saturated((scaled + 8) >> 4);
  }
  std::uint32_t before[4];
  std::uint32_t after[4] = {};
  for (int i = 0; i < 4; ++i) {
    before[i] = *reinterpret_cast<const std::uint32_t*>(samples + pitch * i);
  }
  idct::inverse_transform_block<4, 4>(coefficients, [&](int i, int j, std::int16_t residual) {
    const auto sample = static_cast<std::uint8_t>(before[i] >> 8 * j & 0xff);
    after[i] |= std::uint32_t{idct::reconstruct_sample(sample, residual)} << 8 * j;
  });
  for (int i = 0; i < 4; ++i) *reinterpret_cast<std::uint32_t*>(samples + pitch * i) = after[i];
}

// Sets the levels of 4x4 block (x, y) of luma. Returns its score, with 256 more if it has levels.
// `dc` takes the first coefficient where `first` is 1.
MILLRACE_FUNCTION inline int quantise_luma(LaneMemory& memory, const LevelQuantiser& quantiser,
                                           int rounding, int x, int y, int first) {
  const int block = 4 * y + x;
  return quantise_block(quantiser, rounding, memory.luma_source + 16 * y + x, 4,
                        memory.area.luma_at(4 * x, 4 * y), LaneArea::kLumaPitch, first,
                        block_levels(memory.levels, block), memory.luma_dc + block);
}

// Adds the residual of 4x4 block (x, y) of luma to its prediction. With `first` 1 its DC is
// memory.luma_dc's.
MILLRACE_FUNCTION inline void add_luma(LaneMemory& memory, const LevelQuantiser& quantiser, int x,
                                       int y, int first) {
  add_levels(quantiser, block_levels(memory.levels, 4 * y + x), first,
             first == 1 ? memory.luma_dc[4 * y + x] : 0, memory.area.luma_at(4 * x, 4 * y),
             LaneArea::kLumaPitch);
}

// All functions begin and end with a sync(). The area has the prediction.
template <class Lanes>
class LaneResidual {
 public:
  MILLRACE_FUNCTION LaneResidual(const LaneSteps<Lanes>& steps, bool is_intra)
      : steps_(steps),
        memory_(steps.memory),
        luma_(*steps.coding.luma_quantiser),
        chroma_(*steps.coding.chroma_quantiser),
        rounding_(is_intra ? kIntraRounding : kInterRounding) {}

  // Codes the luma of an inter macroblock. Returns the coded blocks.
  MILLRACE_FUNCTION std::uint32_t code_inter_luma() const {
    quantise_luma_blocks(0);
    std::uint32_t coded = 0;
    std::uint32_t total = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      std::uint32_t bits = 0;
      std::uint32_t score = 0;
      for (int i = 0; i < 4; ++i) {
        const int block = 8 * (quarter / 2) + 2 * (quarter % 2) + 4 * (i / 2) + i % 2;
        const std::uint32_t result = memory_.results[block];
        bits |= (result >> 8) << block;
        score += result & 255;
      }
      if (score < kLeastScoreOfQuarter) continue;
      total += score;
      coded |= bits;
    }
    if (total < kLeastScore) coded = 0;
    clear_uncoded(coded);
    steps_.for_each(16, [&](int block) {
      if ((coded >> block & 1) != 0) add_luma(memory_, luma_, block % 4, block / 4, 0);
    });
    steps_.sync();
    return coded;
  }

  // Clears the levels of the 8x8 blocks without coded blocks.
  MILLRACE_FUNCTION void clear_uncoded(std::uint32_t coded) const {
    steps_.sync();
    steps_.for_each(128, [&](int i) {
      const int quarter = i / 32;
      const std::uint32_t mask = 0x33u << (8 * (quarter / 2) + 2 * (quarter % 2));
      if ((coded & mask) == 0) reinterpret_cast<std::uint32_t*>(&memory_.levels.luma[0][0])[i] = 0;
    });
    steps_.sync();
  }

  // Codes the luma of a kIntra16x16 macroblock. Returns the coded blocks.
  MILLRACE_FUNCTION std::uint32_t code_intra_16x16_luma() const {
    quantise_luma_blocks(1);
    std::uint32_t coded = 0;
    for (int block = 0; block < 16; ++block) coded |= (memory_.results[block] >> 8) << block;
    steps_.for_each(16, [&](int i) {
      const int total = hadamard(i, [&](int k) { return int{memory_.luma_dc[k]}; });
      const int half = total < 0 ? -((-total + 1) >> 1) : (total + 1) >> 1;
      memory_.sums[i] = quantised_dc(luma_, half);
    });
    steps_.sync();
    constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
    steps_.for_each(16, [&](int i) {
      int position = 0;
      for (int k = 0; k < 16; ++k) {
        position = 4 * kOrder.row[k] + kOrder.column[k] == i ? k : position;
      }
      memory_.levels.luma_dc[position] = static_cast<std::int16_t>(memory_.sums[i]);
      const std::int64_t total = hadamard(i, [&](int k) { return memory_.sums[k]; });
      memory_.luma_dc[i] = saturated((total * luma_.scales_4x4[0] + 32) >> 6);
    });
    steps_.sync();
    steps_.for_each(16, [&](int block) { add_luma(memory_, luma_, block % 4, block / 4, 1); });
    steps_.sync();
    return coded;
  }

  // Codes both chroma components. Returns the coded blocks, from bit 16 on, and sets `pattern` to
  // the coded block pattern of chroma.
  MILLRACE_FUNCTION std::uint32_t code_chroma(int& pattern) const {
    steps_.sync();
    steps_.for_each(8, [&](int i) {
      const int component = i / 4;
      const int block = i % 4;
      memory_.results[i] = static_cast<std::uint32_t>(quantise_block(
          chroma_, rounding_, memory_.chroma_source[component] + 8 * (block / 2) + block % 2, 2,
          samples(component, block), LaneArea::kChromaPitch, 1,
          memory_.levels.chroma_ac[component][block], memory_.chroma_dc + i));
    });
    steps_.sync();
    std::uint32_t coded = 0;
    for (int component = 0; component < 2; ++component) {
      std::uint32_t bits = 0;
      std::uint32_t score = 0;
      for (int block = 0; block < 4; ++block) {
        const std::uint32_t result = memory_.results[4 * component + block];
        bits |= (result >> 8) << (16 + 4 * component + block);
        score += result & 255;
      }
      if (score >= kLeastScoreOfChroma) coded |= bits;
    }
    // Levels of DC.
    steps_.for_each(8, [&](int i) {
      memory_.sums[i] = quantised_dc(
          chroma_, hadamard_of_chroma(i, [&](int k) { return int{memory_.chroma_dc[k]}; }));
      memory_.levels.chroma_dc[i / 4][i % 4] = static_cast<std::int16_t>(memory_.sums[i]);
    });
    steps_.for_each(64, [&](int i) {
      // Levels of blocks that are dropped with their component.
      if ((coded >> (16 + i / 32 * 4) & 15) == 0) {
        reinterpret_cast<std::uint32_t*>(&memory_.levels.chroma_ac[0][0][0])[i] = 0;
      }
    });
    steps_.sync();
    bool has_dc = false;
    for (int i = 0; i < 8; ++i) has_dc = has_dc || memory_.sums[i] != 0;
    pattern = coded != 0 ? 2 : has_dc ? 1 : 0;
    steps_.for_each(8, [&](int i) {
      const std::int64_t total = hadamard_of_chroma(i, [&](int k) { return memory_.sums[k]; });
      add_levels(chroma_, memory_.levels.chroma_ac[i / 4][i % 4], 1,
                 saturated((total * chroma_.scales_4x4[0]) >> 5), samples(i / 4, i % 4),
                 LaneArea::kChromaPitch);
    });
    steps_.sync();
    return coded;
  }

 private:
  static constexpr std::uint32_t kLeastScoreOfQuarter = 4;
  static constexpr std::uint32_t kLeastScore = 6;
  static constexpr std::uint32_t kLeastScoreOfChroma = 4;

  // Calls quantise_luma() for all blocks, and sets results to what it returns.
  MILLRACE_FUNCTION void quantise_luma_blocks(int first) const {
    steps_.sync();
    steps_.for_each(16, [&](int block) {
      memory_.results[block] = static_cast<std::uint32_t>(
          quantise_luma(memory_, luma_, rounding_, block % 4, block / 4, first));
    });
    steps_.sync();
  }

  MILLRACE_FUNCTION std::uint8_t* samples(int component, int block) const {
    return memory_.area.chroma_at(component, 4 * (block % 2), 4 * (block / 2));
  }

  MILLRACE_FUNCTION int quantised_dc(const LevelQuantiser& quantiser, int w) const {
    return quantised_level(w, quantiser.multipliers_4x4[0], quantiser.shift_4x4 + 1, rounding_);
  }

  // Returns value i of the 4x4 Hadamard transform of 16 values.
  template <class Value>
  MILLRACE_FUNCTION static int hadamard(int i, const Value& value) {
    // Bit k is set if row i of the transform takes value k off.
    constexpr int kSigns[4] = {0x0, 0xc, 0x6, 0xa};
    const int across = kSigns[i % 4];
    const int down = kSigns[i / 4];
    int total = 0;
    MILLRACE_SMALL_LOOP
    for (int k = 0; k < 16; ++k) {
      total += ((across >> k % 4 ^ down >> k / 4) & 1) != 0 ? -value(k) : value(k);
    }
    return total;
  }
  // Returns value i % 4 of the transform of a component's DC.
  template <class Value>
  MILLRACE_FUNCTION static int hadamard_of_chroma(int i, const Value& value) {
    const int first = i & ~3;
    int total = 0;
    for (int k = 0; k < 4; ++k) {
      const bool is_less = ((i & 1 & k) ^ ((i & k) >> 1 & 1)) != 0;
      total += is_less ? -value(first + k) : value(first + k);
    }
    return total;
  }

  const LaneSteps<Lanes>& steps_;
  LaneMemory& memory_;
  const LevelQuantiser& luma_;
  const LevelQuantiser& chroma_;
  const int rounding_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_RESIDUAL_H_

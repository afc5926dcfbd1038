// SPDX-License-Identifier: Apache-2.0

// Draws numbers and levels, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_LEVELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_LEVELS_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace millrace::h264 {

class RandomLevels {
 public:
  // Levels are at most `most`.
  RandomLevels(std::mt19937& random, int most) : random_(random), most_(most) {}

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool chance(int one_in) { return below(one_in) == 0; }

  // Draws the levels that the macroblock codes, and sets its coded_blocks by them.
  void draw(Macroblock& macroblock, MacroblockLevels& levels) {
    levels = {};
    if (macroblock.type == MacroblockType::kPcm) {
      draw_samples(levels);
    } else {
      draw_coded(macroblock, levels);
    }
    finish(macroblock, levels);
  }

  // Sets coded_blocks by the levels, and one level of each 8x8 block of zeros, which CABAC cannot
  // write.
  void finish(Macroblock& macroblock, MacroblockLevels& levels) {
    if (macroblock.type == MacroblockType::kPcm) {
      macroblock.coded_blocks = 0xffffff;
      return;
    }
    const int first = macroblock.type == MacroblockType::kIntra16x16 ? 1 : 0;
    macroblock.coded_blocks = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      if ((macroblock.coded_block_pattern >> quarter & 1) == 0) continue;
      if (macroblock.has_8x8_transform) {
        if (!has_level(levels.luma[quarter])) levels.luma[quarter][below(64)] = 1;
        macroblock.coded_blocks |= 0x33U << (8 * (quarter >> 1) + 2 * (quarter & 1));
        continue;
      }
      for (int block = 0; block < 4; ++block) {
        const int index = 4 * quarter + block;
        const std::span<const std::int16_t> of_block(levels.luma[quarter] + 16 * block + first,
                                                     static_cast<std::size_t>(16 - first));
        macroblock.coded_blocks |= (has_level(of_block) ? 1U : 0U)
                                   << (4 * block_row(index) + block_column(index));
      }
    }
    for (int component = 0; component < 2; ++component) {
      for (int block = 0; macroblock.coded_block_pattern >> 4 == 2 && block < 4; ++block) {
        const std::span<const std::int16_t> of_block(levels.chroma_ac[component][block]);
        macroblock.coded_blocks |= (has_level(of_block.subspan(1)) ? 1U : 0U)
                                   << (16 + 4 * component + block);
      }
    }
  }

  // Makes the levels smaller, or fewer where none is larger than 1.
  void lessen(std::span<std::int16_t> levels) {
    const bool has_large =
        std::ranges::any_of(levels, [](std::int16_t level) { return level < -1 || level > 1; });
    for (std::int16_t& level : levels) {
      if (has_large) {
        level = static_cast<std::int16_t>(level / 2);
      } else if (chance(2)) {
        level = 0;
      }
    }
  }

  // Leaves about half of the levels of a macroblock.
  void thin(MacroblockLevels& levels) {
    const auto thin_block = [this](std::span<std::int16_t> block) {
      for (std::int16_t& level : block) {
        if (chance(2)) level = 0;
      }
    };
    for (auto& quarter : levels.luma) thin_block(quarter);
    thin_block(levels.luma_dc);
    for (int component = 0; component < 2; ++component) {
      thin_block(levels.chroma_dc[component]);
      for (auto& block : levels.chroma_ac[component]) thin_block(block);
    }
  }

  static bool has_level(std::span<const std::int16_t> levels) {
    return std::ranges::any_of(levels, [](std::int16_t level) { return level != 0; });
  }

 private:
  void draw_coded(const Macroblock& macroblock, MacroblockLevels& levels) {
    if (macroblock.type == MacroblockType::kIntra16x16) draw(levels.luma_dc);
    for (int quarter = 0; quarter < 4; ++quarter) {
      if ((macroblock.coded_block_pattern >> quarter & 1) == 0) continue;
      if (macroblock.has_8x8_transform) {
        draw(levels.luma[quarter]);
        continue;
      }
      for (int block = 0; block < 4; ++block) draw({levels.luma[quarter] + 16 * block, 16});
    }
    for (int component = 0; component < 2; ++component) {
      if (macroblock.coded_block_pattern >> 4 != 0) draw(levels.chroma_dc[component]);
      for (int block = 0; macroblock.coded_block_pattern >> 4 == 2 && block < 4; ++block) {
        draw(levels.chroma_ac[component][block]);
      }
    }
  }

  // Draws one block: sparse or dense, of small or of large levels.
  void draw(std::span<std::int16_t> levels) {
    const int density = below(9);
    const int size = chance(4) ? most_ : 1 << below(6);
    for (std::int16_t& level : levels) {
      if (below(8) >= density) continue;
      const int magnitude = 1 + below(chance(2) ? 1 : size);
      level = static_cast<std::int16_t>(chance(2) ? magnitude : -magnitude);
    }
  }

  void draw_samples(MacroblockLevels& levels) {
    const bool is_dark = chance(2);  // Zeros need emulation prevention.
    const auto sample = [&] { return static_cast<std::int16_t>(below(is_dark ? 2 : 256)); };
    for (auto& block : levels.luma) std::generate(std::begin(block), std::end(block), sample);
    for (auto& component : levels.chroma_ac) {
      for (auto& block : component) std::generate(std::begin(block), std::end(block), sample);
    }
  }

  std::mt19937& random_;
  int most_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_LEVELS_H_

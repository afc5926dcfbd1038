// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace millrace::h264 {
namespace {

MacroblockLevels filled(std::int16_t level) {
  MacroblockLevels levels;
  std::fill_n(&levels.luma[0][0], 256, level);
  std::ranges::fill(levels.luma_dc, level);
  std::fill_n(&levels.chroma_dc[0][0], 8, level);
  std::fill_n(&levels.chroma_ac[0][0][0], 128, level);
  return levels;
}

// Returns the levels after those of `macroblock`, which are 1, are copied over 0.
MacroblockLevels copied(MacroblockType type, int pattern) {
  Macroblock macroblock;
  macroblock.type = type;
  macroblock.coded_block_pattern = static_cast<std::uint8_t>(pattern);
  MacroblockLevels to = filled(0);
  copy_coded_levels(macroblock, filled(1), to);
  return to;
}

TEST(CopyCodedLevels, CopiesTheLumaOfThePattern) {
  const MacroblockLevels levels = copied(MacroblockType::kInter16x16, 0b0110);
  for (int quarter = 0; quarter < 4; ++quarter) {
    const bool is_coded = quarter == 1 || quarter == 2;
    EXPECT_EQ(std::ranges::count(levels.luma[quarter], 1), is_coded ? 64 : 0) << quarter;
  }
}

TEST(CopyCodedLevels, CopiesTheLumaDcOfIntra16x16Alone) {
  EXPECT_EQ(std::ranges::count(copied(MacroblockType::kIntra16x16, 0).luma_dc, 1), 16);
  EXPECT_EQ(std::ranges::count(copied(MacroblockType::kIntra4x4, 15).luma_dc, 1), 0);
}

TEST(CopyCodedLevels, CopiesTheChromaOfThePattern) {
  for (int chroma = 0; chroma < 3; ++chroma) {
    const MacroblockLevels levels = copied(MacroblockType::kInter16x16, chroma << 4);
    for (int component = 0; component < 2; ++component) {
      EXPECT_EQ(std::ranges::count(levels.chroma_dc[component], 1), chroma > 0 ? 4 : 0);
      for (const auto& block : levels.chroma_ac[component]) {
        EXPECT_EQ(std::ranges::count(block, 1), chroma == 2 ? 16 : 0);
      }
    }
  }
}

TEST(CopyCodedLevels, CopiesTheSamplesOfPcm) {
  const MacroblockLevels levels = copied(MacroblockType::kPcm, 0x2f);
  EXPECT_EQ(std::count(&levels.luma[0][0], &levels.luma[0][0] + 256, 1), 256);
  EXPECT_EQ(std::count(&levels.chroma_ac[0][0][0], &levels.chroma_ac[0][0][0] + 128, 1), 128);
}

}  // namespace
}  // namespace millrace::h264

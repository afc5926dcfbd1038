// SPDX-License-Identifier: Apache-2.0

// Levels whose score is low are dropped, on hosts and by lanes of devices. At QP 28 the quantiser's
// step is 16. The basis vectors of the 4x4 transform are orthogonal, so a block that differs from
// its prediction by a multiple of one product of them has a single level.
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_residual.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace millrace::h264 {
namespace {

// A level of 1 counts by the number of zeros before it (JM's COEFF_COST).
int score_4x4(int zeros) { return zeros < 1 ? 3 : zeros < 3 ? 2 : zeros < 6 ? 1 : 0; }
int score_8x8(int zeros) { return zeros < 4 ? 3 : zeros < 12 ? 2 : zeros < 24 ? 1 : 0; }

TEST(LevelsScoreTest, ASingleLevelOf1CountsByTheZerosBeforeIt) {
  for (const std::int16_t level : {std::int16_t{1}, std::int16_t{-1}}) {
    for (int first = 0; first < 2; ++first) {
      for (int k = first; k < 16; ++k) {
        std::int16_t levels[16] = {};
        levels[k] = level;
        EXPECT_EQ(levels_score(levels, first, 16), score_4x4(k - first)) << k;
        EXPECT_EQ(score_of_levels(levels, first), score_4x4(k - first)) << k;
      }
    }
    for (int k = 0; k < 64; ++k) {
      std::int16_t levels[64] = {};
      levels[k] = level;
      EXPECT_EQ(levels_score(levels, 0, 64), score_8x8(k)) << k;
    }
  }
}

TEST(LevelsScoreTest, LevelsCountFromTheOneBefore) {
  for (int k = 0; k < 15; ++k) {
    for (int next = k + 1; next < 16; ++next) {
      std::int16_t levels[16] = {};
      levels[k] = 1;
      levels[next] = -1;
      const int score = score_4x4(k) + score_4x4(next - k - 1);
      EXPECT_EQ(levels_score(levels, 0, 16), score) << k << ", " << next;
      EXPECT_EQ(score_of_levels(levels, 0), score) << k << ", " << next;
    }
  }
}

TEST(LevelsScoreTest, ALargerLevelCounts9) {
  for (const std::int16_t level : {std::int16_t{2}, std::int16_t{-2}, std::int16_t{100}}) {
    std::int16_t levels[64] = {};
    levels[1] = 1;
    levels[15] = level;
    EXPECT_EQ(levels_score(levels, 0, 16), 9);
    EXPECT_EQ(score_of_levels(levels, 0), 9);
    EXPECT_EQ(levels_score(levels, 0, 64), 9);
  }
}

struct OneLane {
  static int lane() { return 0; }
  static int lanes() { return 1; }
  static void sync() {}
};

class ResidualCodingTest : public testing::Test {
 protected:
  static constexpr int kQp = 28;
  static constexpr double kStep = 16;
  static constexpr std::uint8_t kPrediction = 128;

  ResidualCodingTest() {
    coding_.view.columns = coding_.view.rows = 1;
    coding_.qp = kQp;
    coding_.luma_quantiser = coding_.chroma_quantiser = &quantiser_;
    std::memset(luma_, kPrediction, sizeof(luma_));
    std::memset(chroma_, kPrediction, sizeof(chroma_));
    coding_.source[0] = luma_;
    coding_.source[1] = chroma_[0];
    coding_.source[2] = chroma_[1];
  }

  // Makes the source of luma block (x, y) differ from its prediction so that it has one level, 1 or
  // 2, at position k in zig-zag order.
  void set_luma(int x, int y, int k, int level = 1) {
    set_block(luma_ + 16 * 4 * y + 4 * x, 16, k, level);
  }
  void set_chroma(int component, int block, int k, int level = 1) {
    set_block(chroma_[component] + 8 * 4 * (block / 2) + 4 * (block % 2), 8, k, level);
  }

  // Returns the coded blocks of an inter macroblock, bit i for block i of luma in raster order, bit
  // 16 + 4 * component + block for chroma. Expects that other blocks have no levels.
  std::uint32_t coded_by_host(bool has_8x8_transform = false) {
    const auto candidate = std::make_unique<MacroblockCandidate>();
    candidate->macroblock.type = MacroblockType::kInter16x16;
    candidate->macroblock.has_8x8_transform = has_8x8_transform;
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      for (int y = 0; y < side; ++y) {
        std::memset(candidate->area.samples(plane) + y * SampleArea::kStride, kPrediction,
                    static_cast<std::size_t>(side));
      }
    }
    const ScalarEncoderKernels kernels;
    ResidualCoding<ScalarEncoderKernels> residual(kernels, coding_, 0, 0, *candidate, nullptr);
    residual.code_inter_luma();
    residual.code_chroma();
    const std::uint32_t coded = candidate->macroblock.coded_blocks;
    if (!has_8x8_transform) expect_levels(candidate->levels, coded);
    return coded;
  }

  std::uint32_t coded_by_lanes() {
    const auto memory = std::make_unique<LaneMemory>();
    std::memcpy(memory->luma_source, luma_, sizeof(luma_));
    std::memcpy(memory->chroma_source, chroma_, sizeof(chroma_));
    std::memset(&memory->area, kPrediction, sizeof(memory->area));
    OneLane lane;
    const LaneSteps<OneLane> steps{lane, coding_, *memory, 0, 0, 0, 16, 16, 0, 1, 2048};
    const LaneResidual<OneLane> residual(steps, false);
    int pattern = 0;
    const std::uint32_t luma = residual.code_inter_luma();
    const std::uint32_t coded = luma | residual.code_chroma(pattern);
    expect_levels(memory->levels, coded);
    return coded;
  }

  void expect_coded(std::uint32_t blocks) {
    EXPECT_EQ(coded_by_host(), blocks);
    EXPECT_EQ(coded_by_lanes(), blocks);
  }

 private:
  // Adds the multiple of a product of basis vectors whose orthonormal coefficient is next above
  // that of the level.
  static void set_block(std::uint8_t* samples, int stride, int k, int level) {
    constexpr int kBasis[4][4] = {{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
    constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
    const int* const down = kBasis[kOrder.row[k]];
    const int* const across = kBasis[kOrder.column[k]];
    double energy = 0;
    for (int i = 0; i < 16; ++i) energy += std::pow(down[i / 4] * across[i % 4], 2);
    const int factor = static_cast<int>(std::ceil(level * kStep / std::sqrt(energy)));
    for (int i = 0; i < 16; ++i) {
      samples[stride * (i / 4) + i % 4] =
          static_cast<std::uint8_t>(kPrediction + factor * down[i / 4] * across[i % 4]);
    }
  }

  static void expect_levels(const MacroblockLevels& levels, std::uint32_t coded) {
    for (int block = 0; block < 16; ++block) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += std::abs(block_levels(levels, block)[k]);
      EXPECT_EQ(sum > 0, (coded >> block & 1) != 0) << "luma block " << block;
    }
    for (int block = 0; block < 8; ++block) {
      int sum = 0;
      for (int k = 1; k < 16; ++k) sum += std::abs(levels.chroma_ac[block / 4][block % 4][k]);
      EXPECT_EQ(sum > 0, (coded >> (16 + block) & 1) != 0) << "chroma block " << block;
    }
  }

 protected:
  const LevelQuantiser quantiser_ = level_quantiser(kQp);
  PictureCoding coding_;
  alignas(16) std::uint8_t luma_[256];
  alignas(16) std::uint8_t chroma_[2][64];
};

constexpr std::uint32_t luma_bit(int x, int y) { return 1u << (4 * y + x); }
constexpr std::uint32_t chroma_bit(int component, int block) {
  return 1u << (16 + 4 * component + block);
}

TEST_F(ResidualCodingTest, ASingleLevelOf1IsDropped) {
  for (int k = 0; k < 16; ++k) {
    SCOPED_TRACE(testing::Message() << "position " << k);
    set_luma(2, 1, k);
    expect_coded(0);
  }
}

TEST_F(ResidualCodingTest, ASingleLevelOf2IsKept) {
  for (int k = 0; k < 16; ++k) {
    SCOPED_TRACE(testing::Message() << "position " << k);
    set_luma(2, 1, k, 2);
    expect_coded(luma_bit(2, 1));
  }
}

// Each quarter has 3, the least is 4.
TEST_F(ResidualCodingTest, QuartersOfALowScoreAreDropped) {
  for (const int x : {0, 2}) {
    for (const int y : {0, 2}) set_luma(x, y, 0);
  }
  expect_coded(0);
}

TEST_F(ResidualCodingTest, AQuarterOfALowScoreIsDroppedBesideOneThatIsKept) {
  set_luma(0, 0, 0, 2);
  set_luma(2, 0, 0);
  expect_coded(luma_bit(0, 0));
}

// Two levels at position 0 have 6, at position 1 they have 4; the least is 6.
TEST_F(ResidualCodingTest, MacroblocksOfALowScoreAreDropped) {
  set_luma(0, 0, 0);
  set_luma(1, 1, 0);
  expect_coded(luma_bit(0, 0) | luma_bit(1, 1));
  set_luma(0, 0, 1);
  set_luma(1, 1, 1);
  expect_coded(0);
  set_luma(2, 2, 1);
  set_luma(3, 2, 1);
  expect_coded(luma_bit(0, 0) | luma_bit(1, 1) | luma_bit(2, 2) | luma_bit(3, 2));
}

// The level at position 1 is the first one of AC, and has 3; the least of a component is 4.
TEST_F(ResidualCodingTest, ComponentsOfALowScoreAreDropped) {
  set_chroma(0, 2, 1);
  set_chroma(1, 2, 1);
  expect_coded(0);
  set_chroma(1, 3, 1);
  expect_coded(chroma_bit(1, 2) | chroma_bit(1, 3));
  set_chroma(0, 2, 15, 2);
  expect_coded(chroma_bit(0, 2) | chroma_bit(1, 2) | chroma_bit(1, 3));
}

// The coefficient of a flat 8x8 block is 8 times its samples' difference.
TEST_F(ResidualCodingTest, ASingleLevelOfAnEightByEightBlockIsDropped) {
  for (const int level : {1, 2}) {
    for (int i = 0; i < 64; ++i) {
      luma_[16 * (i / 8) + i % 8] =
          static_cast<std::uint8_t>(kPrediction + level * static_cast<int>(kStep) / 8);
    }
    EXPECT_EQ(coded_by_host(true), level == 1 ? 0u : 0x33u);
  }
}

}  // namespace
}  // namespace millrace::h264

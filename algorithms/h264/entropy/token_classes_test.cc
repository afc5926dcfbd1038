// SPDX-License-Identifier: Apache-2.0

// Slices of CAVLC whose blocks have every class of coeff_token, by numbers of coefficients around
// them (ITU-T H.264 clause 9.2.1).
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/testing/slice_test_input.h>
#include <millrace/algorithms/h264/entropy/testing/write_levels.h>
#include <millrace/algorithms/idct/macroblock.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kColumns = 4;
constexpr int kRows = 3;

// Table 8-2, zig-zag: row and column of c_ij.
constexpr int kZigzag[16][2] = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {1, 1}, {0, 2}, {0, 3}, {1, 2},
                                {2, 1}, {3, 0}, {3, 1}, {2, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 3}};

// Table 9-4, inter: coded_block_pattern by codeNum.
constexpr int kInterPatterns[48] = {0,  16, 1,  2,  4,  8,  32, 3,  5,  10, 12, 15, 47, 7,  11, 13,
                                    14, 6,  9,  31, 35, 37, 42, 44, 33, 34, 36, 40, 39, 43, 45, 46,
                                    17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41};

// normAdjust4x4 of QP 28, whose remainder is 4 (equation 8-315).
int scale_of(int row, int column) {
  if (row % 2 == 0 && column % 2 == 0) return 16;
  return row % 2 == 1 && column % 2 == 1 ? 25 : 20;
}

// Numbers of coefficients of the 4x4 blocks of one component, -1 where no macroblock is yet.
class CountPlane {
 public:
  CountPlane(int width, int height)
      : width_(width), counts_(static_cast<std::size_t>(width * height), -1) {}

  int& at(int x, int y) { return counts_[static_cast<std::size_t>(y * width_ + x)]; }

  // Returns nC.
  int around(int x, int y) {
    const int left = x > 0 ? at(x - 1, y) : -1;
    const int above = y > 0 ? at(x, y - 1) : -1;
    if (left >= 0 && above >= 0) return (left + above + 1) >> 1;
    return std::max({left, above, 0});
  }

  // Sets all blocks of a macroblock of n x n of them.
  void fill(int column, int row, int n, int count) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) at(n * column + x, n * row + y) = count;
    }
  }

 private:
  int width_;
  std::vector<int> counts_;
};

// Writes a P slice of random macroblocks, and what the parser is to find.
class SliceOfAllClasses {
 public:
  explicit SliceOfAllClasses(unsigned seed) : random_(seed) {
    expected_.resize(kColumns * kRows);
    for (int address = 0; address < kColumns * kRows; ++address) write_macroblock(address);
    if (skipped_ > 0) writer_.ue(static_cast<std::uint32_t>(skipped_));
    writer_.trailing_bits();
  }

  const std::vector<std::uint8_t>& bytes() const { return writer_.bytes(); }
  const MacroblockCoefficients& expected(int address) const {
    return expected_[static_cast<std::size_t>(address)];
  }
  // The DC coefficients of Intra16x16 and of chroma are not in expected().
  bool has_luma_dc(int address) const { return types_[static_cast<std::size_t>(address)] != 3; }
  const std::array<int, 4>& blocks_of_class() const { return blocks_of_class_; }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  void write_macroblock(int address) {
    const int column = address % kColumns;
    const int row = address / kColumns;
    const int type = below(8) == 0 ? 0 : 1 + below(3);
    types_[static_cast<std::size_t>(address)] = type;
    target_ = &expected_[static_cast<std::size_t>(address)];
    luma_.fill(column, row, 4, 0);
    for (CountPlane& plane : chroma_) plane.fill(column, row, 2, 0);
    if (type == 0) {
      ++skipped_;
      return;
    }
    writer_.ue(static_cast<std::uint32_t>(skipped_));
    skipped_ = 0;
    if (type == 1) write_inter(column, row);
    if (type == 2) write_pcm(column, row);
    if (type == 3) write_intra(column, row);
  }

  void write_inter(int column, int row) {
    const int code = below(48);
    const int pattern = kInterPatterns[code];
    writer_.ue(0);  // P_L0_16x16
    writer_.se(0);
    writer_.se(0);
    writer_.ue(static_cast<std::uint32_t>(code));
    if (pattern > 0) writer_.se(0);  // mb_qp_delta
    write_luma(column, row, pattern & 15, 16);
    write_chroma(column, row, pattern >> 4);
  }

  // Intra16x16 with a DC block, which has the nC of the first block and is no neighbour.
  void write_intra(int column, int row) {
    const int chroma = below(3);
    const bool has_ac = below(2) == 0;
    writer_.ue(static_cast<std::uint32_t>(5 + 1 + 2 + 4 * chroma + (has_ac ? 12 : 0)));
    writer_.ue(0);  // intra_chroma_pred_mode
    writer_.se(0);  // mb_qp_delta
    write_levels(luma_.around(4 * column, 4 * row), levels(16));
    write_luma(column, row, has_ac ? 15 : 0, 15);
    write_chroma(column, row, chroma);
  }

  void write_pcm(int column, int row) {
    writer_.ue(5 + 25);
    while (writer_.position() % 8 != 0) writer_.flag(false);
    for (std::int16_t& sample : target_->luma) sample = write_sample();
    for (auto& plane : target_->chroma) {
      for (std::int16_t& sample : plane) sample = write_sample();
    }
    luma_.fill(column, row, 4, 16);
    for (CountPlane& plane : chroma_) plane.fill(column, row, 2, 16);
  }

  std::int16_t write_sample() {
    const int sample = below(256);
    writer_.bits(static_cast<std::uint64_t>(sample), 8);
    return static_cast<std::int16_t>(sample);
  }

  // Blocks of 16 coefficients, or of 15 without the DC.
  void write_luma(int column, int row, int pattern, int size) {
    for (int index = 0; index < 16; ++index) {
      if ((pattern >> index / 4 & 1) == 0) continue;
      const int x = index % 2 + index / 4 % 2 * 2;  // Clause 6.4.3.
      const int y = index / 2 % 2 + index / 8 * 2;
      const std::vector<int> block = levels(size);
      write_levels(luma_.around(4 * column + x, 4 * row + y), block);
      luma_.at(4 * column + x, 4 * row + y) = count_of(block);
      for (int k = 0; k < size; ++k) {
        const auto& [i, j] = kZigzag[k + 16 - size];
        target_->luma[idct::coefficient_index(idct::TransformSize::k4x4, x, y, i, j)] =
            static_cast<std::int16_t>(block[static_cast<std::size_t>(k)] * scale_of(i, j) * 16);
      }
    }
  }

  void write_chroma(int column, int row, int pattern) {
    if (pattern == 0) return;
    for (int plane = 0; plane < 2; ++plane) write_block(writer_, kChromaDcTokens, levels(4));
    if (pattern == 1) return;
    for (int plane = 0; plane < 2; ++plane) {
      for (int index = 0; index < 4; ++index) {
        const int x = index % 2;
        const int y = index / 2;
        CountPlane& counts = chroma_[plane];
        const std::vector<int> block = levels(15);
        write_levels(counts.around(2 * column + x, 2 * row + y), block);
        counts.at(2 * column + x, 2 * row + y) = count_of(block);
        for (int k = 0; k < 15; ++k) {
          const auto& [i, j] = kZigzag[k + 1];
          target_->chroma[plane][8 * (4 * y + j) + 4 * x + i] =
              static_cast<std::int16_t>(block[static_cast<std::size_t>(k)] * scale_of(i, j) * 16);
        }
      }
    }
  }

  void write_levels(int nc, const std::vector<int>& block) {
    const int number = nc < 2 ? 0 : nc < 4 ? 1 : nc < 8 ? 2 : 3;  // Table 9-5.
    ++blocks_of_class_[static_cast<std::size_t>(number)];
    constexpr int kClasses[] = {0, 1, 2, kLongTokens};
    write_block(writer_, kClasses[number], block);
  }

  // Up to all coefficients are not 0; with 28 as QP, none is beyond 16 bits.
  std::vector<int> levels(int size) {
    std::vector<int> block(static_cast<std::size_t>(size), 0);
    const int eighths = below(9);
    for (int& level : block) {
      if (below(8) < eighths) level = below(2) == 0 ? 1 + below(60) : -1 - below(2);
    }
    return block;
  }

  static int count_of(const std::vector<int>& block) {
    return static_cast<int>(block.size() -
                            static_cast<std::size_t>(std::count(block.begin(), block.end(), 0)));
  }

  std::mt19937 random_;
  BitWriter writer_;
  int skipped_ = 0;
  CountPlane luma_{4 * kColumns, 4 * kRows};
  CountPlane chroma_[2] = {{2 * kColumns, 2 * kRows}, {2 * kColumns, 2 * kRows}};
  std::vector<MacroblockCoefficients> expected_;
  std::array<int, kColumns* kRows> types_ = {};  // 0 skipped, 1 inter, 2 I_PCM, 3 Intra16x16.
  std::array<int, 4> blocks_of_class_ = {};
  MacroblockCoefficients* target_ = nullptr;
};

TEST(TokenClasses, FollowTheBlocksAtLeftAndAbove) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::array<int, 4> blocks_of_class = {};
  for (unsigned trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const SliceOfAllClasses slice(seed + trial);
    SliceTestInput input(kColumns, kRows, SliceType::kP, false);
    const SliceEnd end = input.parse(slice.bytes());
    ASSERT_EQ(end.damage, nullptr);
    ASSERT_EQ(end.macroblocks, kColumns * kRows);
    for (int address = 0; address < kColumns * kRows; ++address) {
      SCOPED_TRACE(address);
      const MacroblockCoefficients read = input.coefficients(address);
      const MacroblockCoefficients& expected = slice.expected(address);
      for (int k = 0; k < 256; ++k) {
        if (k % 4 == 0 && k / 16 % 4 == 0 && !slice.has_luma_dc(address)) continue;
        ASSERT_EQ(read.luma[k], expected.luma[k]) << k;
      }
      for (int plane = 0; plane < 2; ++plane) {
        for (int k = 0; k < 64; ++k) {
          const bool is_dc = k % 4 == 0 && k / 8 % 4 == 0;
          if (is_dc && input.macroblock(address).type != MacroblockType::kPcm) continue;
          ASSERT_EQ(read.chroma[plane][k], expected.chroma[plane][k]) << k;
        }
      }
    }
    for (std::size_t number = 0; number < 4; ++number) {
      blocks_of_class[number] += slice.blocks_of_class()[number];
    }
  }
  for (const int blocks : blocks_of_class) EXPECT_GT(blocks, 1000);
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// The lists of coefficients that slices append to a picture, and the memory that they take.
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/coefficient_bound.h>
#include <millrace/algorithms/h264/entropy/testing/slice_test_input.h>
#include <millrace/algorithms/h264/entropy/testing/write_levels.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace millrace::h264 {
namespace {

// P_L0_16x16 without motion, with the coded block pattern that `code` stands for (Table 9-4).
void write_inter(BitWriter& writer, std::uint32_t code) {
  writer.ue(0);  // mb_skip_run
  writer.ue(0);  // mb_type
  writer.se(0);
  writer.se(0);
  writer.ue(code);
  writer.se(0);  // mb_qp_delta
}

void write_pcm(BitWriter& writer, int sample) {
  writer.ue(25);
  while (writer.position() % 8 != 0) writer.flag(false);
  for (int k = 0; k < 384; ++k) writer.bits(static_cast<std::uint64_t>(k == 0 ? 0 : sample), 8);
}

// Checks that the lists of a picture are those of its macroblocks and nothing else.
void check_lists(const SliceTestInput& input, const SliceEnd& end) {
  const PictureCoefficients& coefficients = input.picture.coefficients;
  ASSERT_EQ(coefficients.list().size(), end.coefficients);
  std::size_t next = 0;
  for (int m = 0; m < end.macroblocks; ++m) {
    const CoefficientRange range = coefficients.ranges()[m];
    ASSERT_EQ(range.first, next);
    std::bitset<kMacroblockCoefficients> indices;
    for (const CodedCoefficient coded : coefficients.of(static_cast<std::size_t>(m))) {
      ASSERT_LT(coded.index, kMacroblockCoefficients);
      ASSERT_FALSE(indices[coded.index]);
      ASSERT_NE(coded.value, 0);
      indices.set(coded.index);
    }
    next += range.count;
  }
  ASSERT_EQ(next, coefficients.list().size());
}

TEST(CoefficientLists, LeaveOutWhatRoundsTo0) {
  SliceTestInput input(1, 1, SliceType::kP, false);
  input.header().qp = 0;
  input.parameters->has_8x8_transform = true;
  std::fill_n(&input.parameters->scaling.lists_8x8[0][0], 2 * 64, std::uint8_t{1});
  BitWriter writer;
  writer.ue(0);
  writer.ue(0);
  writer.se(0);
  writer.se(0);
  writer.ue(2);       // coded_block_pattern 1
  writer.flag(true);  // transform_size_8x8_flag
  writer.se(0);
  std::vector<int> levels(16, 0);
  levels[0] = 2;  // c00: (2 * 20 + 32) >> 6 is 1.
  levels[1] = 1;  // Position 4, c02: (1 * 25 + 32) >> 6 is 0.
  write_block(writer, 0, levels);
  // nC is 2 to the left, 2 above, then (0 + 0 + 1) >> 1.
  const std::vector<int> none(16, 0);
  write_block(writer, token_class(2), none);
  write_block(writer, token_class(2), none);
  write_block(writer, token_class(0), none);
  writer.trailing_bits();
  const SliceEnd end = input.parse(writer.bytes());
  ASSERT_EQ(end.damage, nullptr);
  ASSERT_EQ(input.picture.coefficients.of(0).count, 1);
  EXPECT_EQ(input.picture.coefficients.of(0).first->index, 0);
  EXPECT_EQ(input.picture.coefficients.of(0).first->value, 1);
  EXPECT_EQ(input.macroblock(0).coded_blocks, 0x33U);  // Levels count, whatever they make.
}

TEST(CoefficientLists, HoldAllOfAMacroblock) {
  constexpr int kMacroblocks = 4;
  SliceTestInput input(2, 2, SliceType::kP, false);
  BitWriter writer;
  for (int m = 0; m < kMacroblocks; ++m) {
    write_inter(writer, 12);  // coded_block_pattern 47
    const bool has_left = m % 2 == 1;
    const bool has_above = m >= 2;
    // nC is that of a block with 16 coefficients wherever one is to the left or above.
    for (int block = 0; block < 16; ++block) {
      const bool is_first = block == 0 && !has_left && !has_above;
      write_block(writer, is_first ? 0 : token_class(16), std::vector<int>(16, 1));
    }
    // Sums of the levels: 7, 3, 3 and 3.
    for (int k = 0; k < 2; ++k) write_block(writer, kChromaDcTokens, std::vector<int>{4, 1, 1, 1});
    for (int k = 0; k < 2; ++k) {
      for (int block = 0; block < 4; ++block) {
        const bool is_first = block == 0 && !has_left && !has_above;
        write_block(writer, is_first ? 0 : token_class(15), std::vector<int>(15, -1));
      }
    }
  }
  writer.trailing_bits();
  const SliceEnd end = input.parse(writer.bytes());
  ASSERT_EQ(end.damage, nullptr);
  check_lists(input, end);
  for (std::size_t m = 0; m < kMacroblocks; ++m) {
    EXPECT_EQ(input.picture.coefficients.of(m).count, kMacroblockCoefficients);
  }
  EXPECT_LE(end.coefficients, most_coefficients(8 * writer.bytes().size(), kMacroblocks));
}

TEST(CoefficientLists, OfPcmLeaveOutSamplesOf0) {
  SliceTestInput input(2, 1, SliceType::kI, false);
  BitWriter writer;
  write_pcm(writer, 255);
  write_pcm(writer, 0);
  writer.trailing_bits();
  const SliceEnd end = input.parse(writer.bytes());
  ASSERT_EQ(end.damage, nullptr);
  check_lists(input, end);
  EXPECT_EQ(input.picture.coefficients.of(0).count, 383);
  EXPECT_EQ(input.picture.coefficients.of(0).first->index, 1);
  EXPECT_EQ(input.picture.coefficients.of(1).count, 0);
}

TEST(CoefficientLists, HaveNoneOfAMacroblockThatIsDropped) {
  SliceTestInput input(2, 1, SliceType::kP, false);
  BitWriter writer;
  for (int m = 0; m < 2; ++m) {
    write_inter(writer, 2);  // coded_block_pattern 1
    write_block(writer, m == 0 ? 0 : token_class(0), std::vector<int>(16, 1));
    write_block(writer, token_class(16), std::vector<int>(16, 0));
    write_block(writer, token_class(16), std::vector<int>(16, 0));
    if (m == 1) break;  // The last block is not there.
    write_block(writer, token_class(0), std::vector<int>(16, 0));
  }
  writer.trailing_bits();
  input.picture.coefficients.ranges()[1] = {7, 9};  // Left by an earlier picture.
  const SliceEnd end = input.parse(writer.bytes());
  ASSERT_NE(end.damage, nullptr);
  ASSERT_EQ(end.macroblocks, 1);
  check_lists(input, end);
  EXPECT_EQ(end.coefficients, 16U);
  EXPECT_EQ(input.picture.coefficients.of(1).count, 0);
}

TEST(CoefficientLists, OfALaterSliceFollow) {
  SliceTestInput input(2, 1, SliceType::kI, false);
  input.picture.slices.push_back(input.picture.slices[0]);
  input.picture.picture_parameters.push_back(input.parameters);
  input.picture.slices[1].header.first_macroblock = 1;
  BitWriter damaged, sound;
  write_pcm(damaged, 3);
  damaged.ue(26);  // No mb_type.
  damaged.trailing_bits();
  write_pcm(sound, 5);
  sound.trailing_bits();
  EXPECT_NE(input.parse(damaged.bytes()).damage, nullptr);
  EXPECT_EQ(parse_slice_data(input.picture, 1, sound.bytes(), 0).damage, nullptr);
  EXPECT_EQ(input.picture.coefficients.list().size(), 2U * 383);
  EXPECT_EQ(input.coefficients(0).luma[255], 3);
  EXPECT_EQ(input.coefficients(1).luma[255], 5);
}

TEST(CoefficientLists, AreNoneWhereNotRequested) {
  SliceTestInput input(1, 1, SliceType::kI, false);
  BitWriter writer;
  write_pcm(writer, 3);
  writer.trailing_bits();
  input.picture.coefficients = {};
  const SliceEnd end = parse_slice_data(input.picture, 0, writer.bytes(), 0);
  EXPECT_EQ(end.damage, nullptr);
  EXPECT_EQ(end.coefficients, 0U);
  EXPECT_TRUE(!input.picture.coefficients.are_wanted());
  EXPECT_EQ(input.picture.coefficients.list().size(), 0U);
}

// Intra16x16 macroblocks with one level of DC, which the transform makes 16 coefficients of.
TEST(CoefficientLists, MayBeLongerThanTheBitsOfASlice) {
  constexpr int kColumns = 16;
  constexpr int kRows = 16;
  SliceTestInput input(kColumns, kRows, SliceType::kI, true);
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kI, 0, 28);
  for (int address = 0; address < kColumns * kRows; ++address) {
    const int neighbours = (address % kColumns > 0 ? 1 : 0) + (address >= kColumns ? 1 : 0);
    encoder.bin(3 + neighbours, true);
    encoder.terminate(false);
    encoder.bins({3 + 3, 3 + 4, 3 + 6, 3 + 7}, "0000");  // Mode 0, no AC, no chroma.
    encoder.bin(64, false);                              // intra_chroma_pred_mode
    encoder.bin(60, false);                              // mb_qp_delta
    encoder.bin(85 + 3, true);                           // coded_block_flag
    encoder.bin(105, true);                              // significant_coeff_flag
    encoder.bin(166, true);                              // last_significant_coeff_flag
    encoder.bin(227 + 1, false);                         // coeff_abs_level_minus1
    encoder.bypass(address % 3 == 0);
    encoder.terminate(address + 1 == kColumns * kRows);
  }
  while (writer.position() % 8 != 0) writer.flag(false);
  const SliceEnd end = input.parse(writer.bytes());
  ASSERT_EQ(end.damage, nullptr);
  ASSERT_EQ(end.macroblocks, kColumns * kRows);
  check_lists(input, end);
  EXPECT_EQ(end.coefficients, 16U * kColumns * kRows);
  EXPECT_GT(end.coefficients, 4 * 8 * writer.bytes().size());
  EXPECT_LE(end.coefficients, most_coefficients(8 * writer.bytes().size(), kColumns * kRows));
}

TEST(CoefficientLists, StayInTheirMemoryWhateverTheBitsSay) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::size_t longest = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const auto type = static_cast<SliceType>(random() % 3);
    SliceTestInput input(6, 6, type, random() % 2 == 0);
    input.parameters->has_8x8_transform = random() % 2 == 0;
    input.header().qp = static_cast<int>(random() % 52);
    std::vector<std::uint8_t> bytes(1 + random() % 600);
    // Bits that are 1 more or less often.
    const unsigned eighths = 1 + random() % 7;
    for (std::uint8_t& byte : bytes) {
      for (int bit = 0; bit < 8; ++bit) {
        byte = static_cast<std::uint8_t>(byte << 1 | (random() % 8 < eighths ? 1 : 0));
      }
    }
    const SliceEnd end = input.parse(bytes);
    if (end.damage != nullptr) {
      ASSERT_NE(std::string_view(end.damage), "more coefficients than the slice has memory for");
    }
    check_lists(input, end);
    ASSERT_LE(end.coefficients, most_coefficients(8 * bytes.size(), 36));
    longest = std::max(longest, end.coefficients);
  }
  EXPECT_GT(longest, 100U);
}

TEST(CoefficientBound, IsThatOfBitsOrOfMacroblocks) {
  EXPECT_EQ(most_coefficients(0, 1), 384U);
  EXPECT_EQ(most_coefficients(1'000'000, 1), 384U);
  EXPECT_EQ(most_coefficients(1'000'000, 1000), 384'000U);
  EXPECT_EQ(most_coefficients(100'000, 1000), 100'000U + 24'000 + 384);
}

}  // namespace
}  // namespace millrace::h264

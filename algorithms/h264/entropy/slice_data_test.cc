// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/testing/slice_test_input.h>
#include <millrace/algorithms/h264/entropy/testing/write_levels.h>
#include <millrace/algorithms/idct/macroblock.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::h264 {
namespace {

using idct::coefficient_index;
constexpr auto k4x4 = idct::TransformSize::k4x4;
constexpr auto k8x8 = idct::TransformSize::k8x8;

std::uint32_t bits_of(const Macroblock& macroblock) {
  std::uint32_t sum = 0;
  for (const std::uint32_t bits : macroblock.bits) {
    sum += bits;
  }
  return sum;
}

// P_L0_16x16 with its vector difference and no residual.
void write_16x16(BitWriter& writer, int x, int y) {
  writer.ue(0);  // mb_skip_run
  writer.ue(0);  // mb_type
  writer.se(x);
  writer.se(y);
  writer.ue(0);  // coded_block_pattern 0
}

TEST(SliceData, PredictsVectorsFromNeighbours) {
  SliceTestInput input(3, 2, SliceType::kP, false);
  BitWriter writer;
  write_16x16(writer, 4, -8);  // Nothing to predict from.
  write_16x16(writer, 2, 2);   // A alone predicts (4, -8).
  write_16x16(writer, 0, 0);   // A alone predicts (6, -6).
  write_16x16(writer, 1, 1);   // A is missing and 0; B (4, -8) and C (6, -6): median (4, -6).
  write_16x16(writer, 0, 0);   // A (5, -5), B (6, -6), C (6, -6).
  writer.ue(1);                // P_Skip: A (6, -6), B (6, -6), D (6, -6).
  writer.trailing_bits();
  const SliceEnd end = input.parse(writer.bytes());
  EXPECT_EQ(end.damage, nullptr);
  EXPECT_EQ(end.macroblocks, 6);
  const MotionVector expected[6] = {{4, -8}, {6, -6}, {6, -6}, {5, -5}, {6, -6}, {6, -6}};
  for (int address = 0; address < 6; ++address) {
    for (int block = 0; block < 16; ++block) {
      EXPECT_EQ(input.macroblock(address).vectors[0][block], expected[address]) << address;
    }
  }
  EXPECT_EQ(input.macroblock(5).type, MacroblockType::kSkip);
  EXPECT_EQ(input.macroblock(0).differences[0][15], (MotionVector{4, -8}));
  // mb_skip_run 1, mb_type 1, coded_block_pattern 1; se(4) 7, se(-8) 9.
  EXPECT_EQ(input.macroblock(0).bits[static_cast<int>(SyntaxClass::kTypes)], 3U);
  EXPECT_EQ(input.macroblock(0).bits[static_cast<int>(SyntaxClass::kVectors)], 16U);
  EXPECT_EQ(bits_of(input.macroblock(5)), 3U);
}

TEST(SliceData, SkipsWithoutMotionWhereNeighboursAreMissing) {
  SliceTestInput input(2, 2, SliceType::kP, false);
  BitWriter writer;
  write_16x16(writer, 8, 8);
  writer.ue(3);
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  for (int address = 1; address < 4; ++address) {
    EXPECT_EQ(input.macroblock(address).vectors[0][0], MotionVector{}) << address;
    EXPECT_EQ(input.macroblock(address).references[0][3], 0);
  }
}

TEST(SliceData, WrapsVectorsAt16BitsAndRejectsLongerDifferences) {
  SliceTestInput input(2, 1, SliceType::kP, false);
  BitWriter writer;
  write_16x16(writer, 32767, -32768);
  write_16x16(writer, 1, -1);
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  EXPECT_EQ(input.macroblock(0).vectors[0][0], (MotionVector{32767, -32768}));
  EXPECT_EQ(input.macroblock(1).vectors[0][0], (MotionVector{-32768, 32767}));
  EXPECT_EQ(input.macroblock(1).differences[0][0], (MotionVector{1, -1}));
  BitWriter longer;
  write_16x16(longer, 32768, 0);
  longer.trailing_bits();
  const SliceEnd end = input.parse(longer.bytes());
  EXPECT_STREQ(end.damage, "mvd outside of -8192 to 8191.75 samples");
  EXPECT_EQ(end.macroblocks, 0);
  EXPECT_EQ(input.macroblock(0).type, MacroblockType::kLost);
}

TEST(SliceData, PrefersNeighboursOfHalves) {
  SliceTestInput input(2, 2, SliceType::kP, false);
  input.header().reference_counts[0] = 3;
  BitWriter writer;
  const auto write = [&writer](int type, std::initializer_list<int> references,
                               std::initializer_list<int> differences) {
    writer.ue(0);
    writer.ue(static_cast<std::uint32_t>(type));
    for (const int reference : references) {
      writer.ue(static_cast<std::uint32_t>(reference));
    }
    for (const int difference : differences) {
      writer.se(difference);
    }
    writer.ue(0);
  };
  write(0, {0}, {4, 0});           // 16x16 of reference 0: (4, 0).
  write(0, {1}, {6, 0});           // Reference 1: A alone, so (4, 0) + (6, 0).
  write(1, {0, 2}, {0, 0, 1, 1});  // 16x8: B has reference 0: (4, 0). Below: A is missing.
  write(2, {2, 1}, {0, 0, 0, 0});  // 8x16: A's blocks have references 0 and 2.
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  EXPECT_EQ(input.macroblock(1).vectors[0][0], (MotionVector{10, 0}));
  EXPECT_EQ(input.macroblock(2).vectors[0][4], (MotionVector{4, 0}));
  // Lower half, reference 2: A and C are missing, C is replaced by D, missing too; B, the
  // upper half, is not of reference 2, so the median of 0, (4, 0) and 0.
  EXPECT_EQ(input.macroblock(2).vectors[0][8], (MotionVector{1, 1}));
  // Left half of reference 2: A is the block of reference 0 in the first row. B has reference 1,
  // C too, neither 2: median of (4, 0), (10, 0) and (10, 0).
  EXPECT_EQ(input.macroblock(3).vectors[0][0], (MotionVector{10, 0}));
  // Right half of reference 1: C is missing, D is the block above of reference 1: (10, 0).
  EXPECT_EQ(input.macroblock(3).vectors[0][2], (MotionVector{10, 0}));
  EXPECT_EQ(input.macroblock(3).references[0][1], 1);
  EXPECT_EQ(input.macroblock(3).references[0][2], 2);
}

TEST(SliceData, DequantisesLevelsIntoTheirPositions) {
  SliceTestInput input(1, 1, SliceType::kP, false);
  BitWriter writer;
  writer.ue(0);
  writer.ue(0);
  writer.se(0);
  writer.se(0);
  writer.ue(2);  // coded_block_pattern 1, inter (Table 9-4).
  writer.se(0);  // mb_qp_delta
  write_block(writer, 0, std::vector<int>{0, 3, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  const std::vector<int> none(16, 0);
  // nC is 3, then 3 above, then (0 + 0 + 1) >> 1.
  write_block(writer, token_class(3), none);
  write_block(writer, token_class(3), none);
  write_block(writer, token_class(0), none);
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  std::int16_t expected[256] = {};
  // QP 28: 16 * normAdjust(4) << 4 >> 4. Zig-zag position 1 is c01, 5 is c02, 15 is c33.
  expected[coefficient_index(k4x4, 0, 0, 0, 1)] = 3 * 20 * 16;
  expected[coefficient_index(k4x4, 0, 0, 0, 2)] = -2 * 16 * 16;
  expected[coefficient_index(k4x4, 0, 0, 3, 3)] = 25 * 16;
  for (int k = 0; k < 256; ++k) {
    EXPECT_EQ(input.coefficients(0).luma[k], expected[k]) << k;
  }
  EXPECT_EQ(input.macroblock(0).coded_blocks, 1U);
  EXPECT_EQ(input.macroblock(0).coded_block_pattern, 1);
}

TEST(SliceData, SaturatesCoefficientsAt16Bits) {
  SliceTestInput input(1, 1, SliceType::kP, false);
  BitWriter writer;
  writer.ue(0);
  writer.ue(0);
  writer.se(0);
  writer.se(0);
  writer.ue(2);
  writer.se(23);  // QP 51
  std::vector<int> levels(16, 0);
  levels[0] = 30000;
  levels[1] = -30000;
  write_block(writer, 0, levels);
  levels.assign(16, 0);
  write_block(writer, token_class(2), levels);
  write_block(writer, token_class(2), levels);
  write_block(writer, token_class(0), levels);
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  EXPECT_EQ(input.macroblock(0).qp, 51);
  EXPECT_EQ(input.coefficients(0).luma[0], 32767);
  EXPECT_EQ(input.coefficients(0).luma[coefficient_index(k4x4, 0, 0, 0, 1)], -32768);
}

TEST(SliceData, TransformsTheDcOfIntra16x16AndChroma) {
  SliceTestInput input(1, 1, SliceType::kI, false);
  BitWriter writer;
  writer.ue(1 + 2 + 4);  // mb_type: mode 2, chroma DC, no luma AC.
  writer.ue(0);          // intra_chroma_pred_mode
  writer.se(0);          // mb_qp_delta
  std::vector<int> dc(16, 0);
  dc[0] = 2;
  dc[1] = 1;  // c01
  write_block(writer, 0, dc);
  write_block(writer, kChromaDcTokens, std::vector<int>{3, 0, 0, 1});
  write_block(writer, kChromaDcTokens, std::vector<int>{0, 0, 0, 0});
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  // Columns of the Hadamard transform: c01 adds 1 in the left half and -1 in the right half.
  // QP 28: (f * 16 * 16 * 2^4 + 32) >> 6 = 64 f.
  for (int by = 0; by < 4; ++by) {
    for (int bx = 0; bx < 4; ++bx) {
      EXPECT_EQ(input.coefficients(0).luma[coefficient_index(k4x4, bx, by, 0, 0)],
                64 * (bx < 2 ? 3 : 1));
    }
  }
  // QP_C of 28 is 28: (f * 256 << 4) >> 5 = 128 f; f is 3 + 1, 3 - 1, 3 - 1, 3 + 1.
  EXPECT_EQ(input.coefficients(0).chroma[0][0], 128 * 4);
  EXPECT_EQ(input.coefficients(0).chroma[0][4], 128 * 2);
  EXPECT_EQ(input.coefficients(0).chroma[0][32], 128 * 2);
  EXPECT_EQ(input.coefficients(0).chroma[0][36], 128 * 4);
  EXPECT_EQ(input.macroblock(0).coded_blocks, 0U);  // DC does not count.
  EXPECT_EQ(input.macroblock(0).type, MacroblockType::kIntra16x16);
  EXPECT_EQ(input.macroblock(0).intra_modes[0], 2);
}

TEST(SliceData, Interleaves8x8BlocksInCavlc) {
  SliceTestInput input(1, 1, SliceType::kI, false);
  input.parameters->has_8x8_transform = true;
  BitWriter writer;
  writer.ue(0);
  writer.flag(true);  // transform_size_8x8_flag
  for (int block = 0; block < 4; ++block) {
    writer.flag(true);  // prev_intra8x8_pred_mode_flag
  }
  writer.ue(0);
  writer.ue(29);  // coded_block_pattern 1, intra (Table 9-4).
  writer.se(8);   // QP 36: the scale is 16 * normAdjust(0).
  std::vector<int> levels(16, 0);
  levels[0] = 1;
  write_block(writer, 0, levels);  // Position 0: c00.
  levels[0] = 0;
  levels[1] = 2;
  write_block(writer, token_class(1), levels);  // Position 4 * 1 + 1: c02; nC is that of the left.
  levels[1] = 0;
  write_block(writer, token_class(1), levels);
  levels[15] = -1;
  write_block(writer, token_class(1), levels);  // Position 63: c77.
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  const MacroblockCoefficients coefficients = input.coefficients(0);
  const auto& luma = coefficients.luma;
  EXPECT_EQ(luma[coefficient_index(k8x8, 0, 0, 0, 0)], 16 * 20);
  EXPECT_EQ(luma[coefficient_index(k8x8, 0, 0, 0, 2)], 2 * 16 * 25);
  EXPECT_EQ(luma[coefficient_index(k8x8, 0, 0, 7, 7)], -16 * 18);
  EXPECT_EQ(input.macroblock(0).coded_blocks, 0x33U);
  EXPECT_EQ(input.macroblock(0).type, MacroblockType::kIntra8x8);
  EXPECT_EQ(input.macroblock(0).intra_modes[15], 2);
}

TEST(SliceData, PredictsIntraModes) {
  SliceTestInput input(2, 1, SliceType::kI, false);
  BitWriter writer;
  const auto write = [&writer](int first_remaining) {
    writer.ue(0);
    for (int block = 0; block < 16; ++block) {
      writer.flag(block != 0);
      if (block == 0) {
        writer.bits(static_cast<std::uint64_t>(first_remaining), 3);
      }
    }
    writer.ue(0);
    writer.ue(3);  // coded_block_pattern 0, intra.
  };
  write(0);  // Predicted 2 (nothing is available), remaining 0: mode 0.
  write(5);
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  // The first row has no block above: 2. Rows below: the least of left and above, where a left one
  // that is missing makes 2.
  const std::uint8_t expected[16] = {0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  for (int block = 0; block < 16; ++block) {
    EXPECT_EQ(input.macroblock(0).intra_modes[block], expected[block]) << block;
  }
  EXPECT_EQ(input.macroblock(1).intra_modes[0], 6);  // Predicted 2; 5 is not below it.
  EXPECT_EQ(input.macroblock(1).intra_modes[4], 2);  // The least of 2 and 6.
}

TEST(SliceData, ReadsPcmSamplesAndItsNeighbours) {
  for (const bool is_cabac : {false, true}) {
    SliceTestInput input(2, 1, SliceType::kI, is_cabac);
    BitWriter writer;
    const auto write_samples = [&writer](int first) {
      for (int k = 0; k < 384; ++k) {
        writer.bits(static_cast<std::uint64_t>((first + k) % 256), 8);
      }
    };
    if (is_cabac) {
      CabacEncoder encoder(writer, SliceType::kI, 0, 28);
      encoder.bin(3, true);
      encoder.terminate(true);  // I_PCM
      while (writer.position() % 8 != 0) {
        writer.flag(false);
      }
      write_samples(7);
      encoder.restart();
      encoder.terminate(false);
      encoder.bin(3 + 1, true);  // The left macroblock is not I_NxN.
      encoder.terminate(true);
      while (writer.position() % 8 != 0) {
        writer.flag(false);
      }
      write_samples(9);
      encoder.restart();
      encoder.terminate(true);
      while (writer.position() % 8 != 0) {
        writer.flag(false);
      }
    } else {
      for (const int first : {7, 9}) {
        writer.ue(25);
        while (writer.position() % 8 != 0) {
          writer.flag(false);
        }
        write_samples(first);
      }
      writer.trailing_bits();
    }
    const SliceEnd end = input.parse(writer.bytes());
    EXPECT_EQ(end.damage, nullptr);
    EXPECT_EQ(end.macroblocks, 2);
    for (int k = 0; k < 256; ++k) {
      EXPECT_EQ(input.coefficients(0).luma[k], (7 + k) % 256);
      EXPECT_EQ(input.coefficients(1).luma[k], (9 + k) % 256);
    }
    EXPECT_EQ(input.coefficients(1).chroma[1][63], (9 + 383) % 256);
    EXPECT_EQ(input.macroblock(1).type, MacroblockType::kPcm);
    EXPECT_EQ(input.macroblock(0).bits[static_cast<int>(SyntaxClass::kLuma)], 2048U);
    EXPECT_EQ(bits_of(input.macroblock(0)) + bits_of(input.macroblock(1)), end.bit);
  }
}

// A colocated picture of one macroblock of one slice, 16x16 of list 0.
std::shared_ptr<ParsedPicture> colocated_picture(MotionVector vector, int reference) {
  auto picture = std::make_shared<ParsedPicture>();
  picture->slices.resize(1);
  picture->slices[0].references[0].resize(2);
  picture->slices[0].references[0][0].picture = 10;
  picture->slices[0].references[0][1].picture = 11;
  picture->macroblocks.resize(1);
  Macroblock& macroblock = picture->macroblocks[0];
  macroblock.type = MacroblockType::kInter16x16;
  for (int quarter = 0; quarter < 4; ++quarter) {
    macroblock.references[0][quarter] = static_cast<std::int8_t>(reference);
  }
  for (MotionVector& each : macroblock.vectors[0]) {
    each = vector;
  }
  return picture;
}

TEST(SliceData, ScalesColocatedVectorsInTemporalDirect) {
  const auto colocated = colocated_picture({8, -16}, 1);
  SliceTestInput input(1, 1, SliceType::kB, false);
  input.header().reference_counts[0] = 2;
  input.picture.picture_order = 4;
  Slice& slice = input.picture.slices[0];
  slice.references[0].resize(2);
  slice.references[0][0] = {12, 2, false, nullptr};
  slice.references[0][1] = {11, 0, false,
                            nullptr};  // The picture that the colocated one refers to.
  slice.references[1][0] = {13, 8, false, colocated.get()};
  BitWriter writer;
  writer.ue(1);  // B_Skip
  writer.trailing_bits();
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  // tb 4, td 8: tx (16384 + 4) / 8 = 2048, scale (4 * 2048 + 32) >> 6 = 128.
  EXPECT_EQ(input.macroblock(0).references[0][2], 1);
  EXPECT_EQ(input.macroblock(0).references[1][2], 0);
  EXPECT_EQ(input.macroblock(0).vectors[0][7], (MotionVector{4, -8}));
  EXPECT_EQ(input.macroblock(0).vectors[1][7], (MotionVector{-4, 8}));
  // A long-term reference is not scaled.
  slice.references[0][1].is_long_term = true;
  EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
  EXPECT_EQ(input.macroblock(0).vectors[0][7], (MotionVector{8, -16}));
  EXPECT_EQ(input.macroblock(0).vectors[1][7], (MotionVector{}));
}

TEST(SliceData, HoldsStillWhatIsStillInSpatialDirect) {
  for (const bool is_still : {true, false}) {
    for (const bool is_long_term : {true, false}) {
      const auto colocated =
          colocated_picture(is_still ? MotionVector{1, -1} : MotionVector{2, 0}, 0);
      colocated->macroblocks.insert(colocated->macroblocks.begin(), Macroblock{});
      SliceTestInput input(2, 1, SliceType::kB, false);
      input.header().is_direct_spatial = true;
      input.picture.slices[0].references[1][0] = {13, 8, is_long_term, colocated.get()};
      BitWriter writer;
      writer.ue(0);
      writer.ue(3);  // B_Bi_16x16
      for (const int difference : {6, 6, -6, 2}) {
        writer.se(difference);
      }
      writer.ue(0);
      writer.ue(1);  // B_Skip: predicted from A alone.
      writer.trailing_bits();
      EXPECT_EQ(input.parse(writer.bytes()).damage, nullptr);
      const bool is_zero = is_still && !is_long_term;
      EXPECT_EQ(input.macroblock(1).references[0][0], 0);
      EXPECT_EQ(input.macroblock(1).references[1][0], 0);
      EXPECT_EQ(input.macroblock(1).vectors[0][5], is_zero ? MotionVector{} : (MotionVector{6, 6}));
      EXPECT_EQ(input.macroblock(1).vectors[1][5],
                is_zero ? MotionVector{} : (MotionVector{-6, 2}));
      EXPECT_EQ(input.macroblock(1).sub_partitions[3], SubPartition::kDirect);
    }
  }
}

TEST(SliceData, EndsAtItsTrailingBitsOnly) {
  SliceTestInput input(2, 1, SliceType::kP, false);
  BitWriter writer;
  writer.ue(2);
  writer.trailing_bits();
  std::vector<std::uint8_t> bytes = writer.bytes();
  EXPECT_EQ(input.parse(bytes).damage, nullptr);
  EXPECT_EQ(input.parse(bytes).bit, 3U);
  bytes.insert(bytes.end(), {0, 0, 0, 0});  // cabac_zero_words
  EXPECT_EQ(input.parse(bytes).damage, nullptr);
  bytes.push_back(0x80);
  EXPECT_STREQ(input.parse(bytes).damage, "more macroblocks than the picture has");
  BitWriter more;
  more.ue(3);
  more.trailing_bits();
  EXPECT_STREQ(input.parse(more.bytes()).damage,
               "mb_skip_run past the last macroblock of the picture");
  EXPECT_STREQ(input.parse({}).damage, "slice without data");
  const std::vector<std::uint8_t> zeros(4, 0);
  EXPECT_STREQ(input.parse(zeros).damage, "slice without data");
  BitWriter type;
  type.ue(0);
  type.ue(31);
  type.trailing_bits();
  EXPECT_STREQ(input.parse(type.bytes()).damage, "mb_type above 30 in a P slice; types end at 30");
}

TEST(SliceData, EndsACabacSliceAtItsStopBit) {
  SliceTestInput input(3, 1, SliceType::kP, true);
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kP, 0, 28);
  for (int address = 0; address < 3; ++address) {
    encoder.bin(11, true);  // mb_skip_flag; neighbours are skipped or missing.
    encoder.terminate(address == 2);
  }
  const std::size_t stop = writer.position() - 1;
  while (writer.position() % 8 != 0) {
    writer.flag(false);
  }
  std::vector<std::uint8_t> bytes = writer.bytes();
  const SliceEnd end = input.parse(bytes);
  EXPECT_EQ(end.damage, nullptr);
  EXPECT_EQ(end.macroblocks, 3);
  EXPECT_EQ(end.bit, stop);
  std::uint32_t sum = 0;
  for (const Macroblock& macroblock : input.picture.macroblocks) {
    sum += bits_of(macroblock);
  }
  EXPECT_EQ(sum, stop);
  bytes.insert(bytes.end(), {0, 0});  // cabac_zero_word
  EXPECT_EQ(input.parse(bytes).damage, nullptr);
  bytes.back() = 1;
  EXPECT_STREQ(input.parse(bytes).damage, "end_of_slice_flag before the end of the slice");
}

TEST(SliceData, LeavesMacroblocksOfOtherSlicesAlone) {
  SliceTestInput input(2, 1, SliceType::kP, false);
  BitWriter writer;
  writer.ue(2);
  writer.trailing_bits();
  input.macroblock(1).type = MacroblockType::kPcm;
  const SliceEnd end = parse_slice_data(input.picture, 0, writer.bytes(), 0);
  EXPECT_STREQ(end.damage, "macroblock that another slice has already");
  EXPECT_EQ(end.macroblocks, 1);
  EXPECT_EQ(input.macroblock(1).type, MacroblockType::kPcm);
  input.header().first_macroblock = 2;
  EXPECT_STREQ(input.parse(writer.bytes()).damage,
               "first_mb_in_slice past the last macroblock of the picture");
}

// Parses every copy of a payload with one bit flipped, or cut after every byte. Each copy is a
// vector of its own, so that a sanitizer sees reads past its end.
void parse_damaged(SliceTestInput& input, const std::vector<std::uint8_t>& payload) {
  for (std::size_t bit = 0; bit < 8 * payload.size(); ++bit) {
    std::vector<std::uint8_t> copy(payload.begin(), payload.end());
    copy[bit / 8] ^= static_cast<std::uint8_t>(128 >> bit % 8);
    const SliceEnd end = input.parse(copy);
    ASSERT_LE(end.macroblocks, static_cast<int>(input.picture.macroblocks.size()));
    for (std::size_t m = static_cast<std::size_t>(end.macroblocks);
         m < input.picture.macroblocks.size(); ++m) {
      ASSERT_EQ(input.picture.macroblocks[m].type, MacroblockType::kLost);
    }
  }
  for (std::size_t size = 0; size < payload.size(); ++size) {
    const std::vector<std::uint8_t> copy(payload.begin(),
                                         payload.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_LE(input.parse(copy).macroblocks, static_cast<int>(input.picture.macroblocks.size()));
  }
}

TEST(SliceData, StaysInItsMemoryForDamagedCavlc) {
  SliceTestInput input(2, 2, SliceType::kP, false);
  input.header().reference_counts[0] = 4;
  BitWriter writer;
  std::vector<int> levels = {9, -7, 5, 3, -1, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
  for (int macroblock = 0; macroblock < 4; ++macroblock) {
    writer.ue(0);
    writer.ue(0);
    writer.ue(static_cast<std::uint32_t>(macroblock));  // ref_idx
    writer.se(100);
    writer.se(-100);
    writer.ue(2);  // coded_block_pattern 1
    writer.se(1);
    // nC of the second block: 9 to the left, and 0 above where there is a block. The third
    // likewise.
    write_block(writer, 0, levels);
    write_block(writer, token_class(macroblock < 2 ? 9 : 5), std::vector<int>(16, 0));
    write_block(writer, token_class(macroblock % 2 == 0 ? 9 : 5), std::vector<int>(16, 0));
    write_block(writer, token_class(0), std::vector<int>(16, 0));
  }
  writer.trailing_bits();
  ASSERT_EQ(input.parse(writer.bytes()).damage, nullptr);
  parse_damaged(input, writer.bytes());
}

TEST(SliceData, StaysInItsMemoryForDamagedCabac) {
  for (const SliceType type : {SliceType::kI, SliceType::kP, SliceType::kB}) {
    SliceTestInput input(3, 3, type, true);
    input.parameters->has_8x8_transform = true;
    if (type != SliceType::kI) {
      input.header().reference_counts[0] = 3;
    }
    // Any bits are macroblocks to an arithmetic decoder.
    std::vector<std::uint8_t> bytes(120);
    std::uint32_t state = 12345;
    for (std::uint8_t& byte : bytes) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::uint8_t>(state >> 24);
    }
    bytes[0] &= 0x7f;
    ASSERT_NE(input.parse(bytes).damage, nullptr);
    parse_damaged(input, bytes);
  }
}

}  // namespace
}  // namespace millrace::h264

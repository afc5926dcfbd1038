// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_reader.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/testing/write_levels.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr ScanOffsets kScans = scan_offsets();

std::vector<std::uint8_t> bytes_of(std::string_view bits) {
  BitWriter writer;
  for (const char bit : bits) {
    if (bit != ' ') {
      writer.flag(bit == '1');
    }
  }
  return writer.bytes();
}

struct Block {
  std::vector<int> levels;
  std::size_t bits;
  const char* damage;
};

int read_levels(CavlcReader& reader, int token_class, int maximum, std::int16_t (&levels)[16]) {
  LevelTarget target = {levels, kScans.in_order};
  switch (maximum) {
    case 4: return reader.residual_block<4>(token_class, target);
    case 15: return reader.residual_block<15>(token_class, target);
    default: return reader.residual_block<16>(token_class, target);
  }
}

Block read_block(const std::vector<std::uint8_t>& bytes, int token_class, int maximum) {
  CavlcReader reader(kCavlcTables, bytes.data(), bytes.size(), 0);
  std::int16_t levels[16] = {};
  read_levels(reader, token_class, maximum, levels);
  return {{levels, levels + maximum}, reader.position(), reader.damage()};
}

TEST(CavlcReader, ReadsABlockWrittenByHand) {
  // coeff_token of 5 coefficients and 3 trailing ones; their signs; +1; +3; 3 zeros; runs 1 0 0 1.
  const Block block = read_block(bytes_of("0000100 0 1 1 1 0010 111 10 1 1 01"), 0, 16);
  EXPECT_EQ(block.damage, nullptr);
  EXPECT_EQ(block.levels, (std::vector<int>{0, 3, 0, 1, -1, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(block.bits, 24U);
}

TEST(CavlcReader, ReadsLevelsThatEscape) {
  struct Case {
    std::string_view level;
    int expected;
  };
  // One coefficient that is not 1: 2 is added to its levelCode.
  const Case cases[] = {
      {"1", 2},                                     // levelCode 0 + 2
      {"01", -2},                                   // 1 + 2
      {"00000000000001", -8},                       // 13 + 2
      {"000000000000001 0000", 9},                  // 14 + 0 + 2
      {"000000000000001 1111", -16},                // 14 + 15 + 2
      {"0000000000000001 000000000000", 17},        // 15 + 15 + 2
      {"0000000000000001 111111111111", -2064},     // 15 + 4095 + 15 + 2
      {"00000000000000001 0000000000000", 2065},    // 15 + 15 + 8192 - 4096 + 2
      {"000000000000000001 00000000000000", 6161},  // 15 + 15 + 16384 - 4096 + 2
  };
  for (const Case& c : cases) {
    const Block block = read_block(bytes_of("000101" + std::string(c.level) + "1"), 0, 16);
    EXPECT_EQ(block.damage, nullptr) << c.level;
    EXPECT_EQ(block.levels[0], c.expected) << c.level;
  }
}

TEST(CavlcReader, ReadsTheLongestCodes) {
  // 16 coefficients without trailing ones: 16 bits of coeff_token, no total_zeros.
  std::vector<int> levels(16, 2000);
  BitWriter writer;
  write_block(writer, 0, levels);
  EXPECT_EQ(read_block(writer.bytes(), 0, 16).levels, levels);
  // A run of 14: 11 bits.
  std::vector<int> run(16, 0);
  run[0] = 1;
  run[15] = -1;
  BitWriter second;
  write_block(second, 2, run);
  EXPECT_EQ(read_block(second.bytes(), 2, 16).levels, run);
}

TEST(CavlcReader, ReadsBackRandomBlocksOfEveryClass) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 20000; ++trial) {
    const int token_class = static_cast<int>(random() % 5);
    const int maximum = token_class == kChromaDcTokens ? 4 : random() % 2 == 0 ? 15 : 16;
    const unsigned density = random() % 9;
    const int size = 1 << random() % 15;
    std::vector<int> levels(static_cast<std::size_t>(maximum), 0);
    for (int& level : levels) {
      if (random() % 8 < density) {
        level = static_cast<int>(random() % static_cast<unsigned>(size)) + 1;
        level = random() % 2 == 0 ? level : -level;
      }
    }
    BitWriter writer;
    writer.bits(0, static_cast<int>(random() % 8));
    const std::size_t start = writer.position();
    write_block(writer, token_class, levels);
    const std::size_t end = writer.position();
    writer.trailing_bits();
    CavlcReader reader(kCavlcTables, writer.bytes().data(), writer.bytes().size(), start);
    std::int16_t read[16] = {};
    const int total = read_levels(reader, token_class, maximum, read);
    ASSERT_EQ(reader.damage(), nullptr);
    ASSERT_EQ(std::vector<int>(read, read + maximum), levels);
    ASSERT_EQ(reader.position(), end);
    ASSERT_EQ(total, maximum - std::count(levels.begin(), levels.end(), 0));
  }
}

TEST(CavlcReader, NamesWhatIsNoCode) {
  EXPECT_STREQ(read_block(bytes_of("0000000000000000"), 0, 16).damage,
               "coeff_token that is no code word");
  EXPECT_STREQ(read_block(bytes_of("000010"), kLongTokens, 16).damage, "coeff_token 000010");
  // 16 coefficients in a block of 15.
  EXPECT_STREQ(read_block(bytes_of("0000000000000100"), 0, 15).damage,
               "TotalCoeff above the coefficients of its block");
  // One coefficient after 15 zeros in a block of 15.
  EXPECT_STREQ(read_block(bytes_of("01 0 000000001"), 0, 15).damage,
               "total_zeros above the coefficients of its block");
  EXPECT_STREQ(read_block(bytes_of("01 0 000000000"), 0, 16).damage,
               "total_zeros that is no code word");
  EXPECT_STREQ(read_block(bytes_of("000101 00000000000000000000000000 1"), 0, 16).damage,
               "level_prefix above 25");
  // Two ones with 7 zeros, 0011, and a run of 8 between them, 00001.
  EXPECT_STREQ(read_block(bytes_of("001 00 0011 00001"), 0, 16).damage,
               "run_before above the zeros left");
}

TEST(CavlcReader, ReadsExpGolombCodesUpTo63Bits) {
  BitWriter writer;
  const std::uint32_t values[] = {0, 1, 2, 254, 65534, 65535, 1U << 31, 0xfffffffe};
  for (const std::uint32_t value : values) {
    writer.ue(value);
  }
  writer.se(-32768);
  writer.se(32767);
  CavlcReader reader(kCavlcTables, writer.bytes().data(), writer.bytes().size(), 0);
  for (const std::uint32_t value : values) {
    EXPECT_EQ(reader.unsigned_code(), value);
  }
  EXPECT_EQ(reader.signed_code(), -32768);
  EXPECT_EQ(reader.signed_code(), 32767);
  EXPECT_EQ(reader.position(), writer.position());
  EXPECT_EQ(reader.damage(), nullptr);
  reader.unsigned_code();
  EXPECT_STREQ(reader.damage(), "Exp-Golomb code of more than 63 bits");
}

}  // namespace
}  // namespace millrace::h264

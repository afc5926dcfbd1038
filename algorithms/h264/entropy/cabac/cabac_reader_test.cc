// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_reader.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/testing/write_cabac.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr ScanOffsets kScans = scan_offsets();

CabacReader reader_of(const BitWriter& writer, SliceType type, std::size_t first_bit = 0) {
  return CabacReader(kCabacTables, writer.bytes().data(), writer.bytes().size(), first_bit,
                     {.type = type, .cabac_table = 1, .qp = 30});
}

TEST(CabacEngine, DecodesWhatTheEncoderOfTheStandardWrites) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    // Kind 0 to 2: context, bypass, terminate; contexts of 8 adapt to a fraction of ones.
    struct Bin {
      int kind;
      int context;
      bool value;
    };
    std::vector<Bin> bins(1 + random() % 500);
    const unsigned sixteenths = random() % 17;
    BitWriter writer;
    const int before = static_cast<int>(random() % 8);
    writer.bits(0, before);
    CabacEncoder encoder(writer, SliceType::kP, 1, 30);
    for (Bin& bin : bins) {
      bin = {random() % 4 == 0 ? 1 + static_cast<int>(random() % 2) : 0,
             static_cast<int>(random() % 8), random() % 16 < sixteenths};
      if (bin.kind == 0) {
        encoder.bin(bin.context, bin.value);
      } else if (bin.kind == 1) {
        encoder.bypass(bin.value);
      } else {
        encoder.terminate(false);
      }
    }
    encoder.terminate(true);
    const std::size_t end = writer.position();

    CabacEngine engine(kCabacTables, writer.bytes().data(), writer.bytes().size());
    std::uint8_t states[8];
    for (int context = 0; context < 8; ++context) {
      const std::int8_t* const initial = kCabacTables.initial[2][context];
      const int state = std::clamp((initial[0] * 30 >> 4) + initial[1], 1, 126);
      states[context] =
          static_cast<std::uint8_t>(state < 64 ? 2 * (63 - state) : 2 * (state - 64) + 1);
    }
    engine.start(before == 0 ? 0 : 1);
    for (const Bin& bin : bins) {
      if (bin.kind == 0) {
        ASSERT_EQ(engine.decode(states[bin.context]), bin.value ? 1 : 0);
      } else if (bin.kind == 1) {
        ASSERT_EQ(engine.decode_bypass(), bin.value ? 1 : 0);
      } else {
        ASSERT_FALSE(engine.decode_terminate());
      }
    }
    ASSERT_TRUE(engine.decode_terminate());
    ASSERT_EQ(engine.position(), end);  // The last bit is the stop bit.
  }
}

// Table 9-37 (b): bin strings of mb_type in B slices.
TEST(CabacReader, ReadsTypesOfB) {
  const std::string_view strings[23] = {
      "0",       "100",     "101",     "110000",  "110001",  "110010",  "110011",  "110100",
      "110101",  "110110",  "110111",  "111110",  "1110000", "1110001", "1110010", "1110011",
      "1110100", "1110101", "1110110", "1110111", "1111000", "1111001", "111111"};
  for (int increment = 0; increment < 3; ++increment) {
    BitWriter writer;
    CabacEncoder encoder(writer, SliceType::kB, 1, 30);
    for (const std::string_view string : strings) {
      // The second bin has ctxIdx 27 + 3, the third 27 + 5 - b1, all others 27 + 5.
      const int third = string.size() > 1 && string[1] == '0' ? 32 : 31;
      encoder.bins({27 + increment, 30, third, 32}, string);
    }
    encoder.bins({27 + increment, 30, 31, 32}, "111101");  // Intra: I_NxN.
    encoder.bin(32, false);
    encoder.bins({27 + increment, 30, 31, 32}, "111101");  // Intra: I_PCM.
    encoder.bin(32, true);
    encoder.terminate(true);
    CabacReader reader = reader_of(writer, SliceType::kB);
    for (int type = 0; type < 23; ++type) {
      EXPECT_EQ(reader.type_in_b(increment), type);
    }
    EXPECT_EQ(reader.type_in_b(increment), 23);
    EXPECT_EQ(reader.type_in_b(increment), 23 + 25);
  }
}

TEST(CabacReader, ReadsTypesOfP) {
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kP, 1, 30);
  encoder.bins({14, 15, 16}, "000");
  encoder.bins({14, 15, 17}, "011");
  encoder.bins({14, 15, 17}, "010");
  encoder.bins({14, 15, 16}, "001");
  encoder.bin(14, true);  // Intra: 16x16 with mode 2, chroma 1, luma 15.
  encoder.bin(17, true);
  encoder.terminate(false);
  encoder.bins({18, 19, 19, 20, 20}, "11010");
  encoder.terminate(true);
  CabacReader reader = reader_of(writer, SliceType::kP);
  for (const int type : {0, 1, 2, 3}) {
    EXPECT_EQ(reader.type_in_p(), type);
  }
  EXPECT_EQ(reader.type_in_p(), 5 + 1 + 2 + 4 * 1 + 12);
  EXPECT_TRUE(reader.end_of_slice());
}

// Table 9-36: bin strings of mb_type in I slices.
TEST(CabacReader, ReadsTypesOfI) {
  for (int increment = 0; increment < 3; ++increment) {
    BitWriter writer;
    CabacEncoder encoder(writer, SliceType::kI, 1, 30);
    encoder.bin(3 + increment, false);
    for (int type = 1; type < 25; ++type) {
      const int mode = (type - 1) % 4;
      const int chroma = (type - 1) / 4 % 3;
      encoder.bin(3 + increment, true);
      encoder.terminate(false);
      encoder.bin(6, type > 12);
      encoder.bin(7, chroma != 0);
      if (chroma != 0) {
        encoder.bin(8, chroma == 2);
      }
      encoder.bin(9, mode / 2 == 1);
      encoder.bin(10, mode % 2 == 1);
    }
    encoder.bin(3 + increment, true);
    encoder.terminate(true);
    CabacReader reader = reader_of(writer, SliceType::kI);
    for (int type = 0; type < 26; ++type) {
      EXPECT_EQ(reader.intra_type(increment), type);
    }
  }
}

// Tables 9-37 and 9-38: bin strings of sub_mb_type.
TEST(CabacReader, ReadsSubTypes) {
  BitWriter of_p;
  CabacEncoder p(of_p, SliceType::kP, 1, 30);
  p.bins({21}, "1");
  p.bins({21, 22}, "00");
  p.bins({21, 22, 23}, "011");
  p.bins({21, 22, 23}, "010");
  p.terminate(true);
  CabacReader reader_of_p = reader_of(of_p, SliceType::kP);
  for (int type = 0; type < 4; ++type) {
    EXPECT_EQ(reader_of_p.sub_type_in_p(), type);
  }
  const std::string_view strings[13] = {"0",      "100",   "101",    "11000",  "11001",
                                        "11010",  "11011", "111000", "111001", "111010",
                                        "111011", "11110", "11111"};
  BitWriter of_b;
  CabacEncoder b(of_b, SliceType::kB, 1, 30);
  for (const std::string_view string : strings) {
    // The third bin has ctxIdx 36 + 3 - b1, the first ones 36, 37, the others 39.
    b.bins({36, 37, string.size() > 2 && string[1] == '0' ? 39 : 38, 39}, string);
  }
  b.terminate(true);
  CabacReader reader_of_b = reader_of(of_b, SliceType::kB);
  for (int type = 0; type < 13; ++type) {
    EXPECT_EQ(reader_of_b.sub_type_in_b(), type);
  }
}

TEST(CabacReader, ReadsVectorDifferencesUpToTheirExtremes) {
  const int values[] = {0, 1, -1, 8, -8, 9, -9, 16, 17, 255, -4096, 8191, -8192, 32767, -32768};
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kP, 1, 30);
  for (const int sum : {0, 2, 3, 32, 33, 65536}) {
    for (const int value : values) {
      write_vector_difference(encoder, 40, sum, value);
      write_vector_difference(encoder, 47, sum, -value);
    }
  }
  encoder.terminate(true);
  CabacReader reader = reader_of(writer, SliceType::kP);
  for (const int sum : {0, 2, 3, 32, 33, 65536}) {
    for (const int value : values) {
      EXPECT_EQ(reader.vector_difference(false, sum), value);
      EXPECT_EQ(reader.vector_difference(true, sum), -value);
    }
  }
  EXPECT_EQ(reader.damage(), nullptr);
}

TEST(CabacReader, ReadsQpDeltasReferencesAndModes) {
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kB, 1, 30);
  for (int delta = -26; delta <= 25; ++delta) {
    const int code = delta > 0 ? 2 * delta - 1 : -2 * delta;
    for (int k = 0; k <= code; ++k) {
      encoder.bin(60 + (k == 0 ? 1 : k == 1 ? 2 : 3), k < code);
    }
  }
  for (int reference = 0; reference < 32; ++reference) {
    for (int k = 0; k <= reference; ++k) {
      encoder.bin(54 + (k == 0 ? 3 : k == 1 ? 4 : 5), k < reference);
    }
  }
  encoder.bins({64, 67}, "0");
  encoder.bins({65, 67}, "10");
  encoder.bins({66, 67}, "110");
  encoder.bins({64, 67}, "111");
  for (int mode = 0; mode < 8; ++mode) {
    encoder.bin(68, false);
    for (int k = 0; k < 3; ++k) {
      encoder.bin(69, (mode >> k & 1) != 0);
    }
  }
  encoder.terminate(true);
  CabacReader reader = reader_of(writer, SliceType::kB);
  for (int delta = -26; delta <= 25; ++delta) {
    EXPECT_EQ(reader.qp_delta(true), delta);
  }
  for (int reference = 0; reference < 32; ++reference) {
    EXPECT_EQ(reader.reference_index(3), reference);
  }
  for (int mode = 0; mode < 4; ++mode) {
    EXPECT_EQ(reader.chroma_mode(mode % 3), mode);
  }
  for (int mode = 0; mode < 8; ++mode) {
    EXPECT_EQ(reader.intra_mode(), mode);
  }
  EXPECT_EQ(reader.damage(), nullptr);
  EXPECT_TRUE(reader.end_of_slice());
  EXPECT_EQ(reader.position(), writer.position());
}

int read_block(CabacReader& reader, BlockCategory category, LevelTarget& target) {
  switch (category) {
    case BlockCategory::kLumaDc:
      return reader.residual_block<BlockCategory::kLumaDc, 16>(0, target);
    case BlockCategory::kLumaAc:
      return reader.residual_block<BlockCategory::kLumaAc, 15>(0, target);
    case BlockCategory::kLuma4x4:
      return reader.residual_block<BlockCategory::kLuma4x4, 16>(0, target);
    case BlockCategory::kChromaDc:
      return reader.residual_block<BlockCategory::kChromaDc, 4>(0, target);
    case BlockCategory::kChromaAc:
      return reader.residual_block<BlockCategory::kChromaAc, 15>(0, target);
    default: return reader.residual_block<BlockCategory::kLuma8x8, 64>(0, target);
  }
}

TEST(CabacReader, ReadsBackRandomBlocksOfEveryCategory) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uint8_t in_order[64];
  for (int k = 0; k < 64; ++k) {
    in_order[k] = static_cast<std::uint8_t>(k);
  }
  const std::size_t sizes[6] = {16, 15, 16, 4, 15, 64};
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<std::vector<int>> blocks(60);
    std::vector<int> categories(blocks.size());
    BitWriter writer;
    CabacEncoder encoder(writer, SliceType::kP, 1, 30);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      categories[b] = static_cast<int>(random() % 6);
      blocks[b].resize(sizes[categories[b]]);
      const unsigned density = random() % 9;
      const int size = 1 << random() % 15;
      for (int& level : blocks[b]) {
        if (random() % 8 < density) {
          level = static_cast<int>(random() % static_cast<unsigned>(size)) + 1;
          level = random() % 2 == 0 ? level : -level;
        }
      }
      if (categories[b] == 5) {
        blocks[b][random() % 64] = 1;  // An 8x8 block that is coded has a coefficient.
      }
      write_cabac_block(encoder, categories[b], 0, blocks[b]);
    }
    encoder.terminate(true);
    CabacReader reader = reader_of(writer, SliceType::kP);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::int16_t levels[64] = {};
      LevelTarget target = {levels, in_order};
      read_block(reader, static_cast<BlockCategory>(categories[b]), target);
      ASSERT_EQ(std::vector<int>(levels, levels + blocks[b].size()), blocks[b]);
    }
    ASSERT_EQ(reader.damage(), nullptr);
    ASSERT_TRUE(reader.end_of_slice());
    ASSERT_EQ(reader.position(), writer.position());
  }
}

TEST(CabacReader, NamesWhatIsNoValue) {
  BitWriter writer;
  CabacEncoder encoder(writer, SliceType::kP, 1, 30);
  for (int k = 0; k < 33; ++k) {
    encoder.bin(54 + (k == 0 ? 0 : k == 1 ? 4 : 5), true);
  }
  encoder.terminate(true);
  CabacReader reader = reader_of(writer, SliceType::kP);
  reader.reference_index(0);
  EXPECT_STREQ(reader.damage(), "ref_idx above 31");

  BitWriter ones;
  ones.bits(0xffff, 16);
  EXPECT_STREQ(reader_of(ones, SliceType::kI).damage(),
               "arithmetic decoding that starts at offset 510 or 511");
  BitWriter zeros;
  zeros.bits(0, 32);
  EXPECT_STREQ(reader_of(zeros, SliceType::kI, 4).damage(), "cabac_alignment_one_bit that is 0");
}

}  // namespace
}  // namespace millrace::h264

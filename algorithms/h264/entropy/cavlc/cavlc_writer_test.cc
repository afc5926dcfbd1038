// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cavlc/bit_counter.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_writer.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace millrace::h264 {
namespace {

TEST(NonzeroMask, HasABitForEachLevel) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    constexpr std::int16_t kValues[] = {0, 0, 1, -1, 256, -32768, 32767, 0x7f00};
    std::int16_t levels[64];
    std::uint64_t expected = 0;
    for (int k = 0; k < 64; ++k) {
      levels[k] = kValues[random() % 8];
      expected |= static_cast<std::uint64_t>(levels[k] != 0 ? 1 : 0) << k;
    }
    ASSERT_EQ(nonzero_mask<64>(levels), expected);
    ASSERT_EQ(nonzero_mask<16>(levels), expected & 0xffff);
    ASSERT_EQ(nonzero_mask<15>(levels), expected & 0x7fff);
    ASSERT_EQ(nonzero_mask<4>(levels), expected & 0xf);
  }
}

TEST(BitCounter, CountsWhatAWriterWrites) {
  BitWriter writer;
  BitCounter counter;
  const auto write = [](auto& sink) {
    sink.bits(5, 3);
    sink.flag(true);
    for (const std::uint32_t value : {0U, 1U, 2U, 6U, 7U, 65535U, 0xfffffffeU}) sink.ue(value);
    for (const std::int32_t value : {0, 1, -1, 2, -2, 32767, -32768}) sink.se(value);
    sink.align();
    sink.align();
    sink.flag(false);
    sink.trailing_bits();
    sink.trailing_bits();
  };
  write(writer);
  write(counter);
  EXPECT_EQ(counter.position(), writer.position());
  EXPECT_EQ(BitCounter(7).position(), 7U);
}

TEST(CavlcWriter, CountsWhatItWrites) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 20000; ++trial) {
    const int token_class = static_cast<int>(random() % 5);
    const unsigned density = random() % 9;
    const auto size = 1U << random() % 15;
    std::int16_t levels[16] = {};
    for (std::int16_t& level : levels) {
      if (random() % 8 < density) {
        level = static_cast<std::int16_t>(static_cast<int>(random() % (2 * size + 1)) -
                                          static_cast<int>(size));
      }
    }
    BitWriter writer;
    BitCounter counter;
    if (token_class == kChromaDcTokens) {
      EXPECT_EQ(write_block<4>(kCavlcCodes, token_class, levels, writer),
                write_block<4>(kCavlcCodes, token_class, levels, counter));
    } else if (random() % 2 == 0) {
      EXPECT_EQ(write_block<15>(kCavlcCodes, token_class, levels, writer),
                write_block<15>(kCavlcCodes, token_class, levels, counter));
    } else {
      EXPECT_EQ(write_block<16>(kCavlcCodes, token_class, levels, writer),
                write_block<16>(kCavlcCodes, token_class, levels, counter));
    }
    ASSERT_EQ(counter.position(), writer.position());
  }
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

// A copy whose end is the end of an allocation, so that sanitizers see a read beyond it.
struct ExactBytes {
  explicit ExactBytes(const std::vector<std::uint8_t>& bytes)
      : data(new std::uint8_t[bytes.size()]), size(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), data.get());
  }
  BitReader reader(std::size_t first_bit = 0) const { return {data.get(), size, first_bit}; }

  std::unique_ptr<std::uint8_t[]> data;
  std::size_t size;
};

TEST(BitReaderTest, ReadsTheBitsThatWereWrittenHighestFirst) {
  const ExactBytes bytes({0b10110011, 0b01000001});
  BitReader reader = bytes.reader();
  EXPECT_EQ(reader.bits(1), 1U);
  EXPECT_EQ(reader.bits(3), 0b011U);
  EXPECT_EQ(reader.bits(0), 0U);
  EXPECT_EQ(reader.bits(6), 0b001101U);
  EXPECT_EQ(reader.position(), 10U);
  EXPECT_EQ(reader.bits(6), 0b000001U);
  EXPECT_FALSE(reader.failed());
}

TEST(BitReaderTest, ReadsZerosAndFailsBeyondEveryEnd) {
  for (std::size_t size = 0; size <= 12; ++size) {
    const ExactBytes bytes(std::vector<std::uint8_t>(size, 0xFF));
    for (std::size_t first = 0; first <= 8 * size; ++first) {
      for (int count = 0; count <= 32; ++count) {
        BitReader reader = bytes.reader(first);
        const auto left = static_cast<int>(8 * size - first);
        const int ones = std::min(left, count);
        const std::uint64_t expected = ((std::uint64_t{1} << ones) - 1) << (count - ones);
        ASSERT_EQ(reader.peek(count), expected) << size << ' ' << first << ' ' << count;
        ASSERT_EQ(reader.bits(count), expected);
        ASSERT_EQ(reader.failed(), count > left);
        if (reader.failed()) {
          ASSERT_EQ(reader.bits(32), 0U);
          ASSERT_EQ(reader.position(), 8 * size + 1);
        }
      }
    }
  }
}

TEST(BitReaderTest, SkipsNoFurtherThanOneBitBeyondTheEnd) {
  const ExactBytes bytes({1, 2, 3});
  BitReader reader = bytes.reader();
  reader.skip(24);
  EXPECT_FALSE(reader.failed());
  reader.skip(std::numeric_limits<std::size_t>::max());
  EXPECT_TRUE(reader.failed());
  reader.skip(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(reader.position(), 25U);
}

// Table 9-2.
TEST(BitReaderTest, ReadsTheStandardsExampleCodes) {
  // 1 010 011 00100 00101 00110 00111 0001000
  const ExactBytes bytes({0b10100110, 0b01000010, 0b10011000, 0b11100010, 0b00000000});
  BitReader reader = bytes.reader();
  for (std::uint32_t code = 0; code <= 7; ++code) EXPECT_EQ(reader.ue(), code);
  BitReader as_signed = bytes.reader();
  for (const int value : {0, 1, -1, 2, -2, 3, -3, 4}) EXPECT_EQ(as_signed.se(), value);
}

TEST(BitReaderTest, ReadsExpGolombCodesOfAllLengthsAtAllOffsets) {
  std::vector<std::uint32_t> values;
  for (int bit = 0; bit < 32; ++bit) {
    const std::uint32_t power = std::uint32_t{1} << bit;
    values.insert(values.end(), {power - 1, power, power - 2 + (bit == 0)});
  }
  values.push_back(std::numeric_limits<std::uint32_t>::max() - 1);
  for (int offset = 0; offset < 8; ++offset) {
    for (const std::uint32_t value : values) {
      if (value == std::numeric_limits<std::uint32_t>::max()) continue;
      BitWriter writer;
      writer.bits(0x55, offset);
      writer.ue(value);
      const std::size_t end = writer.position();
      const ExactBytes bytes(writer.bytes());
      BitReader reader = bytes.reader(static_cast<std::size_t>(offset));
      ASSERT_EQ(reader.ue(), value);
      ASSERT_EQ(reader.position(), end);
      ASSERT_FALSE(reader.failed());
    }
  }
}

TEST(BitReaderTest, ReadsTheExtremesOfSignedCodes) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t value : {kMost, -kMost, kMost - 1, 1 - kMost}) {
    BitWriter writer;
    writer.se(value);
    const ExactBytes bytes(writer.bytes());
    BitReader reader = bytes.reader();
    EXPECT_EQ(reader.se(), value);
    EXPECT_FALSE(reader.failed());
  }
}

TEST(BitReaderTest, FailsAtACodeOf32ZerosAndMore) {
  const ExactBytes bytes({0, 0, 0, 0, 0x80, 0, 0, 0, 0xFF});
  BitReader reader = bytes.reader();
  EXPECT_EQ(reader.ue(), 0U);
  EXPECT_TRUE(reader.failed());
}

TEST(BitReaderTest, FailsAtACodeThatIsCutShort) {
  BitWriter writer;
  writer.ue(1000);  // 19 bits
  for (std::size_t size = 0; size <= 2; ++size) {
    const ExactBytes bytes({writer.bytes().begin(), writer.bytes().begin() + std::ptrdiff_t(size)});
    BitReader reader = bytes.reader();
    reader.ue();
    EXPECT_TRUE(reader.failed()) << size;
  }
}

TEST(BitReaderTest, FindsTheTrailingBitsAtEveryPosition) {
  for (int length = 0; length <= 40; ++length) {
    for (const int zero_bytes : {0, 1, 6}) {
      BitWriter writer;
      for (int i = 0; i < length; ++i) writer.flag(true);
      const std::size_t end = writer.position();
      writer.trailing_bits();
      for (int i = 0; i < zero_bytes; ++i) writer.bits(0, 8);
      const ExactBytes bytes(writer.bytes());
      BitReader reader = bytes.reader();
      for (std::size_t i = 0; i < end; ++i) {
        ASSERT_TRUE(reader.has_more_data());
        ASSERT_FALSE(reader.is_at_trailing_bits());
        reader.skip(1);
      }
      ASSERT_FALSE(reader.has_more_data());
      ASSERT_TRUE(reader.is_at_trailing_bits());
    }
  }
}

TEST(BitReaderTest, HasNoTrailingBitsInZerosAlone) {
  const ExactBytes bytes({0, 0});
  BitReader reader = bytes.reader();
  EXPECT_TRUE(reader.has_more_data());
  reader.skip(16);
  EXPECT_FALSE(reader.has_more_data());
  EXPECT_FALSE(reader.is_at_trailing_bits());
}

TEST(BitReaderTest, ReadsWhatWasWrittenForRandomElements) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<int, std::uint32_t>> elements(40);
    BitWriter writer;
    for (auto& [kind, value] : elements) {
      kind = static_cast<int>(random() % 34);
      value = static_cast<std::uint32_t>(random() >> random() % 32);
      if (kind <= 32) {
        if (kind < 32) value &= (std::uint32_t{1} << kind) - 1;
        writer.bits(value, kind);
      } else {
        value >>= 1;
        writer.ue(value);
      }
    }
    const ExactBytes bytes(writer.bytes());
    BitReader reader = bytes.reader();
    for (const auto& [kind, value] : elements) {
      ASSERT_EQ(kind <= 32 ? reader.bits(kind) : reader.ue(), value);
    }
    ASSERT_EQ(reader.position(), writer.position());
    ASSERT_FALSE(reader.failed());
  }
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(BitWriterTest, WritesTheLowestBitsHighestFirst) {
  BitWriter writer;
  writer.bits(0xf5, 3);
  writer.flag(false);
  writer.bits(0, 0);
  writer.bits(0x123456789abcdef0, 64);
  EXPECT_EQ(writer.position(), 68U);
  EXPECT_EQ(writer.bytes(), (Bytes{0xa1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0}));
}

TEST(BitWriterTest, WritesOnAfterItsBytesWereRead) {
  BitWriter writer;
  EXPECT_TRUE(writer.bytes().empty());
  writer.bits(1, 1);
  EXPECT_EQ(writer.bytes(), Bytes{0x80});
  writer.bits(3, 2);
  EXPECT_EQ(writer.bytes(), Bytes{0xe0});
  writer.bits(0x1ff, 9);
  EXPECT_EQ(writer.bytes(), (Bytes{0xff, 0xf0}));
}

TEST(BitWriterTest, EndsAPayloadWithAStopBit) {
  BitWriter writer;
  writer.trailing_bits();
  writer.bits(1, 7);
  writer.trailing_bits();
  writer.bits(1, 3);
  writer.align();
  writer.align();
  EXPECT_EQ(writer.bytes(), (Bytes{0x80, 0x03, 0x20}));
}

TEST(BitWriterTest, WritesWhatAReaderReads) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  struct Element {
    int kind;
    int count;
    std::uint32_t value;
  };
  std::vector<Element> elements(3000);
  BitWriter writer;
  for (Element& element : elements) {
    const int count = static_cast<int>(random() % 33);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    element = {static_cast<int>(random() % 3), count, static_cast<std::uint32_t>(random()) & mask};
    if (element.kind == 0) writer.bits(element.value, count);
    if (element.kind == 1) writer.ue(element.value -= element.value == 0xffffffff ? 1 : 0);
    if (element.kind == 2) writer.se(static_cast<std::int32_t>(element.value >>= 1) - 1000);
  }
  BitReader reader(writer.bytes().data(), writer.bytes().size());
  for (const Element& element : elements) {
    if (element.kind == 0) {
      ASSERT_EQ(reader.bits(element.count), element.value);
    } else if (element.kind == 1) {
      ASSERT_EQ(reader.ue(), element.value);
    } else {
      ASSERT_EQ(reader.se(), static_cast<std::int32_t>(element.value) - 1000);
    }
  }
  EXPECT_EQ(reader.position(), writer.position());
  EXPECT_FALSE(reader.failed());
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// The codec of bounded integers on every device, against the definition of a packed block.
#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/codecs_test_input.h>
#include <millrace/algorithms/codecs/device_coder.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::codecs {
namespace {

using Integers = std::vector<std::uint32_t>;

Integers integers_below(std::uint64_t bound, std::size_t count, SeededRandom& random) {
  Integers values(count);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random(0, bound - 1));
  return values;
}

// A transcription of bounded_format.h.
std::vector<std::byte> encode_by_definition(std::uint64_t bound, Integers values) {
  const BoundedFormat format{bound};
  std::vector<std::byte> coded(format.coded_bytes(values.size()));
  const CodedHeader header = make_header(CodedKind::kBounded32, values.size(), coded.size(), bound);
  std::memcpy(coded.data(), &header, sizeof header);
  std::size_t at = sizeof header;
  values.resize((values.size() + 127) / 128 * 128);
  for (std::size_t first = 0; first < values.size(); first += 128) {
    for (int word = 0; word < 4 * format.width(); ++word, at += 4) {
      const auto packed = packed_word<std::uint32_t>([&](int i) { return values[first + i]; },
                                                     format.width(), word);
      std::memcpy(coded.data() + at, &packed, sizeof packed);
    }
  }
  return coded;
}

class BoundedTest : public testing::TestWithParam<std::string> {
 protected:
  const std::shared_ptr<Device> device = open_device(GetParam());
  DeviceCoder coder{device};
  SeededRandom random;
};

TEST_P(BoundedTest, EncodesAndDecodesAsTheDefinition) {
  for (const std::uint64_t bound :
       {1ULL, 2ULL, 3ULL, 1000ULL, 1ULL << 20, (1ULL << 31) + 1, 1ULL << 32}) {
    const auto codec = make_bounded_codec(bound);
    for (const std::size_t count : {0, 1, 127, 128, 129, 9000}) {
      const Integers values = integers_below(bound, count, random);
      const std::vector<std::byte> expected = encode_by_definition(bound, values);
      EXPECT_EQ(coder.encode(*codec, values), expected) << bound << ", " << count;
      EXPECT_EQ(coder.decode<std::uint32_t>(*codec, expected, count), values)
          << bound << ", " << count;
    }
  }
  EXPECT_FALSE(coder.is_overrun());
}

TEST_P(BoundedTest, EncodesAndDecodesManyTiles) {
  const std::size_t count = conformance::scaled(*device, 700'001, 100'001);
  const auto codec = make_bounded_codec(count);
  const Integers values = integers_below(count, count, random);
  const std::vector<std::byte> coded = coder.encode(*codec, values);
  EXPECT_EQ(coded, encode_by_definition(count, values));
  EXPECT_EQ(coder.decode<std::uint32_t>(*codec, coded, count), values);
}

TEST_P(BoundedTest, AnItemNotBelowTheBoundIsNotCodable) {
  const auto codec = make_bounded_codec(1000);
  Integers values = integers_below(1000, 5000, random);
  values[random(0, 4999)] = 1000;
  coder.encode(*codec, values);
  EXPECT_EQ(coder.result().error(), CodecError::kNotCodable);
  EXPECT_THROW(throw_if_failed(coder.result()), Error);
  EXPECT_FALSE(coder.is_overrun());
}

TEST_P(BoundedTest, ADecodedItemNotBelowTheBoundIsAnError) {
  Integers values = integers_below(1000, 5000, random);
  values[random(0, 4999)] = 1000;
  std::vector<std::byte> coded = encode_by_definition(1024, values);
  const CodedHeader header = BoundedFormat{1000}.header(values.size());
  std::memcpy(coded.data(), &header, sizeof header);
  EXPECT_EQ(coder.decode<std::uint32_t>(*make_bounded_codec(1000), coded, 5000), std::nullopt);
  EXPECT_EQ(coder.result().error(), CodecError::kCorrupt);
}

TEST_P(BoundedTest, ChunksLargerThanTheCapacityAreNotCoded) {
  const auto codec = make_bounded_codec(1 << 16);
  const Integers values = integers_below(1 << 16, 1280, random);
  const std::size_t bytes = codec->max_coded_bytes(1280);
  EXPECT_EQ(bytes, 32U + 2U * 1280);
  EXPECT_EQ(coder.encode(*codec, values, bytes).size(), bytes);
  EXPECT_EQ(coder.encode(*codec, values, bytes - 1).size(), 0U);
  EXPECT_FALSE(coder.is_overrun());
}

TEST_P(BoundedTest, DamagedChunksAreRejectedOrGiveItemsBelowTheBound) {
  const auto codec = make_bounded_codec(700);
  const std::vector<std::byte> coded = encode_by_definition(700, integers_below(700, 4500, random));
  const int times = static_cast<int>(conformance::scaled(*device, 300, 30));
  for (int i = 0; i < times; ++i) {
    std::vector<std::byte> damaged = coded;
    damage(damaged, random);
    if (const auto values = coder.decode<std::uint32_t>(*codec, damaged, 4500)) {
      for (const std::uint32_t value : *values) ASSERT_LT(value, 700U);
    }
  }
  EXPECT_FALSE(coder.is_overrun());
}

TEST(BoundedCodecTest, TheBoundIsInRange) {
  EXPECT_THROW(make_bounded_codec(0), Error);
  EXPECT_THROW(make_bounded_codec((1ULL << 32) + 1), Error);
  EXPECT_EQ(make_bounded_codec(1ULL << 32)->item_bytes(), 4U);
}

INSTANTIATE_TEST_SUITE_P(, BoundedTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::codecs

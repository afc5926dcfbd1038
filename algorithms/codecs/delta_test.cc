// SPDX-License-Identifier: Apache-2.0

// The delta codec on every device, against its definition.
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/codecs_test_input.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/delta_reference.h>
#include <millrace/algorithms/codecs/device_coder.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::codecs {
namespace {

class DeltaTest : public testing::TestWithParam<std::string> {
 protected:
  template <class T>
  void expect_round_trip(const std::vector<T>& values) {
    const std::vector<std::byte> expected = reference_encode_deltas<T>(values);
    EXPECT_EQ(coder.encode(delta_codec<T>(), values), expected) << values.size() << " integers";
    EXPECT_EQ(coder.decode<T>(delta_codec<T>(), expected, values.size()), values)
        << values.size() << " integers";
    EXPECT_FALSE(coder.is_overrun());
  }

  // Expects that the device decodes or rejects damaged chunks as the definition does.
  template <class T>
  void expect_damage_is_detected(std::size_t count, int times) {
    const std::vector<std::byte> coded =
        reference_encode_deltas<T>(random_integers<T>(count, random));
    for (int i = 0; i < times; ++i) {
      std::vector<std::byte> damaged = coded;
      damage(damaged, random);
      const auto expected = reference_decode_deltas<T>(damaged, count);
      EXPECT_EQ(coder.decode<T>(delta_codec<T>(), damaged, count), expected);
      if (!expected) {
        EXPECT_THROW(throw_if_failed(coder.result()), Error);
      }
    }
    EXPECT_FALSE(coder.is_overrun());
  }

  const std::shared_ptr<Device> device = open_device(GetParam());
  DeviceCoder coder{device};
  SeededRandom random;
};

TEST_P(DeltaTest, EncodesAndDecodesAsTheDefinition) {
  for (const std::size_t count : {0, 1, 2, 127, 128, 129, 4095, 4096, 4097}) {
    expect_round_trip(random_integers<std::uint32_t>(count, random));
    expect_round_trip(random_integers<std::uint64_t>(count, random));
  }
}

TEST_P(DeltaTest, EncodesAndDecodesManyTiles) {
  const std::size_t count = conformance::scaled(*device, 700'001, 150'001);
  expect_round_trip(random_integers<std::uint32_t>(count, random));
  expect_round_trip(random_integers<std::uint64_t>(count / 2, random));
}

TEST_P(DeltaTest, SpendsOnABlockTheBitsOfItsLargestDifference) {
  std::vector<std::uint32_t> values(kTileValues);
  for (std::size_t i = 1; i < values.size(); ++i) values[i] = values[i - 1] + (i < 128 ? 7 : 1);
  const std::size_t bits = 3 * 128 + 31 * 128;
  EXPECT_EQ(coder.encode(delta_codec<std::uint32_t>(), values).size(),
            sizeof(CodedHeader) + 16 + sizeof(TileHead) + bits / 8);
}

TEST_P(DeltaTest, ChunksLargerThanTheCapacityAreNotCoded) {
  std::vector<std::uint32_t> values(3 * kTileValues);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
  const std::size_t bytes = values.size() * sizeof(std::uint32_t);
  const Codec& codec = delta_codec<std::uint32_t>();
  EXPECT_GT(coder.encode(codec, values).size(), bytes);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{20}, bytes / 2, bytes}) {
    EXPECT_EQ(coder.encode(codec, values, capacity).size(), 0U) << capacity;
    EXPECT_EQ(coder.result().bytes, 0U);
    EXPECT_EQ(coder.result().error(), CodecError::kNone);
  }
  EXPECT_FALSE(coder.is_overrun());
}

TEST_P(DeltaTest, AChunkThatJustFitsIsCoded) {
  const auto values = random_integers<std::uint64_t>(5'000, random);
  const std::vector<std::byte> expected = reference_encode_deltas<std::uint64_t>(values);
  const Codec& codec = delta_codec<std::uint64_t>();
  EXPECT_EQ(coder.encode(codec, values, expected.size()), expected);
  EXPECT_EQ(coder.encode(codec, values, expected.size() - 1).size(), 0U);
}

TEST_P(DeltaTest, DamagedChunksAreRejectedOrDecodeToSomething) {
  const int times = static_cast<int>(conformance::scaled(*device, 300, 25));
  expect_damage_is_detected<std::uint32_t>(4096 + 700, times);
  expect_damage_is_detected<std::uint64_t>(4096 + 700, times);
  expect_damage_is_detected<std::uint32_t>(50, times);
}

TEST_P(DeltaTest, AChunkOfAnotherKindOrCountIsRejected) {
  const std::vector<std::uint32_t> values(300, 5);
  const std::vector<std::byte> coded = reference_encode_deltas<std::uint32_t>(values);
  EXPECT_EQ(coder.decode<std::uint64_t>(delta_codec<std::uint64_t>(), coded, 300), std::nullopt);
  EXPECT_EQ(coder.decode<std::uint32_t>(delta_codec<std::uint32_t>(), coded, 299), std::nullopt);
  EXPECT_EQ(coder.decode<std::uint32_t>(delta_codec<std::uint32_t>(), {}, 300), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(, DeltaTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::codecs

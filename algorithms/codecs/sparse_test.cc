// SPDX-License-Identifier: Apache-2.0

// The sparse codec on every device, against its definition.
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/codecs_test_input.h>
#include <millrace/algorithms/codecs/device_coder.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/algorithms/codecs/sparse_reference.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::codecs {

bool operator==(const CoefficientBlock& a, const CoefficientBlock& b) {
  return std::memcmp(a.values, b.values, sizeof a.values) == 0;
}

namespace {

using Blocks = std::vector<CoefficientBlock>;

// Returns blocks made in one of five ways each: zeros; some small coefficients; some of one power
// of two; some of any size; all of any size.
Blocks random_blocks(std::size_t count, SeededRandom& random) {
  Blocks blocks(count);
  for (CoefficientBlock& block : blocks) {
    const std::uint64_t way = random(0, 4);
    const std::uint64_t one_in = way == 4 ? 1 : 1 + random(0, 40);
    const std::uint64_t shift = random(0, 15);
    for (std::int16_t& value : block.values) {
      const bool is_zero = way == 0 || random(0, one_in - 1) != 0;
      const int small = static_cast<int>(random(0, 254)) - 127;
      const int any = static_cast<std::int16_t>(random());
      const int chosen = way == 1 ? small : way == 2 ? small * (1 << shift) : any;
      value = static_cast<std::int16_t>(is_zero ? 0 : chosen);
    }
  }
  return blocks;
}

class SparseTest : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::byte> coded_bytes_of(const CoefficientBlock& block) {
    return coder.encode(sparse_codec(), Blocks{block});
  }

  void expect_round_trip(const Blocks& blocks) {
    const std::vector<std::byte> expected = reference_encode_sparse(blocks);
    EXPECT_TRUE(coder.encode(sparse_codec(), blocks) == expected) << blocks.size() << " blocks";
    EXPECT_TRUE(coder.decode<CoefficientBlock>(sparse_codec(), expected, blocks.size()) == blocks)
        << blocks.size() << " blocks";
    EXPECT_FALSE(coder.is_overrun());
  }

  static constexpr std::size_t kFrame = directory_end(1) + sizeof(SparseTileHead);

  const std::shared_ptr<Device> device = open_device(GetParam());
  DeviceCoder coder{device};
  SeededRandom random;
};

TEST_P(SparseTest, EncodesAndDecodesAsTheDefinition) {
  for (const std::size_t count : {0, 1, 2, 31, 32, 33, 100}) {
    expect_round_trip(random_blocks(count, random));
  }
}

TEST_P(SparseTest, EncodesAndDecodesManyTiles) {
  expect_round_trip(random_blocks(conformance::scaled(*device, 10'007, 1'500), random));
}

TEST_P(SparseTest, ABlockOfZerosTakesNoBytes) { EXPECT_EQ(coded_bytes_of({}).size(), kFrame); }

// Two masks of rows, three values, and one byte to make them even.
TEST_P(SparseTest, ABlockTakesItsMasksAndAByteForEachValue) {
  CoefficientBlock block{};
  block.values[0] = -256;
  block.values[3] = 512;
  block.values[250] = 127 * 256;
  EXPECT_EQ(coded_bytes_of(block).size(), kFrame + round_up_to_unit(2 + 2 * 2 + 4));
}

TEST_P(SparseTest, ExtremesComeThrough) {
  Blocks blocks(3);
  for (std::size_t i = 0; i < kSparseValues; ++i) {
    blocks[0].values[i] = -32768;
    blocks[1].values[i] = static_cast<std::int16_t>(i % 2 == 0 ? -32768 : 32767);
    blocks[2].values[i] = static_cast<std::int16_t>(static_cast<int>(i) - 128);
  }
  expect_round_trip(blocks);
}

TEST_P(SparseTest, ChunksLargerThanTheCapacityAreNotCoded) {
  const Blocks blocks = random_blocks(100, random);
  const std::vector<std::byte> expected = reference_encode_sparse(blocks);
  EXPECT_EQ(coder.encode(sparse_codec(), blocks, expected.size()), expected);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{40}, expected.size() - 1}) {
    EXPECT_EQ(coder.encode(sparse_codec(), blocks, capacity).size(), 0U) << capacity;
  }
  EXPECT_FALSE(coder.is_overrun());
}

TEST_P(SparseTest, DamagedChunksAreRejectedOrDecodeToSomething) {
  const std::vector<std::byte> coded = reference_encode_sparse(random_blocks(40, random));
  const int times = static_cast<int>(conformance::scaled(*device, 500, 60));
  for (int i = 0; i < times; ++i) {
    std::vector<std::byte> damaged = coded;
    damage(damaged, random);
    const auto expected = reference_decode_sparse(damaged, 40);
    EXPECT_TRUE(coder.decode<CoefficientBlock>(sparse_codec(), damaged, 40) == expected);
  }
  EXPECT_FALSE(coder.is_overrun());
}

INSTANTIATE_TEST_SUITE_P(, SparseTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::codecs

// SPDX-License-Identifier: Apache-2.0

// Sums of differences against plain definitions.
#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kStride = 19;

struct BlockPair {
  std::vector<std::uint8_t> a, b;

  explicit BlockPair(SeededRandom& random) {
    for (auto* samples : {&a, &b}) {
      for (int i = 0; i < 16 * kStride; ++i) {
        samples->push_back(static_cast<std::uint8_t>(random(0, 255)));
      }
    }
  }
  BlockPair(int sample, int other)
      : a(16 * kStride, static_cast<std::uint8_t>(sample)),
        b(16 * kStride, static_cast<std::uint8_t>(other)) {}

  SampleRows rows_a() const { return {a.data(), kStride}; }
  SampleRows rows_b() const { return {b.data(), kStride}; }
  int difference(int x, int y) const {
    const auto at = static_cast<std::size_t>(y * kStride + x);
    return a[at] - b[at];
  }
};

// Half the sum of sizes of H D H, with the Hadamard matrix H whose element (i, j) is -1 where i and
// j have an odd number of ones in common.
std::uint32_t plain_satd(const BlockPair& pair, int left, int top) {
  const auto sign = [](int i, int j) { return __builtin_popcount(i & j) % 2 == 0 ? 1 : -1; };
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      int coefficient = 0;
      for (int k = 0; k < 16; ++k) {
        coefficient += sign(i, k / 4) * sign(j, k % 4) * pair.difference(left + k % 4, top + k / 4);
      }
      sum += std::abs(coefficient);
    }
  }
  return static_cast<std::uint32_t>((sum + 1) / 2);
}

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{4, 4}, {8, 4}, {4, 8}, {8, 8}, {16, 8}, {8, 16}, {16, 16}};

TEST(BlockDistortion, SatdIsThatOfItsDefinition) {
  SeededRandom random;
  for (const auto [width, height] : kSizes) {
    const BlockPair pair(random);
    std::uint32_t expected = 0;
    for (int y = 0; y < height; y += 4) {
      for (int x = 0; x < width; x += 4) expected += plain_satd(pair, x, y);
    }
    EXPECT_EQ(block_satd(pair.rows_a(), pair.rows_b(), width, height), expected)
        << width << " x " << height;
  }
}

TEST(BlockDistortion, SquaredErrorIsThatOfItsDefinition) {
  SeededRandom random;
  for (const auto [width, height] : kSizes) {
    const BlockPair pair(random);
    std::uint32_t expected = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        expected += static_cast<std::uint32_t>(pair.difference(x, y) * pair.difference(x, y));
      }
    }
    EXPECT_EQ(block_squared_error(pair.rows_a(), pair.rows_b(), width, height), expected)
        << width << " x " << height;
  }
}

TEST(BlockDistortion, LargestDifferencesFit) {
  const BlockPair pair(255, 0);
  EXPECT_EQ(block_satd(pair.rows_a(), pair.rows_b(), 16, 16), 16u * 16 * 255 / 2);
  EXPECT_EQ(block_squared_error(pair.rows_a(), pair.rows_b(), 16, 16), 256u * 255 * 255);
}

// 16 DC of 16 d count as 128 d, one of 64 d counts as 32 d.
TEST(BlockDistortion, DcOfFlatBlocksIsOne) {
  const BlockPair pair(60, 40);
  EXPECT_EQ(dc_satd_difference(pair.rows_a(), pair.rows_b()), (32 - 128) * 20);
  EXPECT_EQ(dc_satd_difference(pair.rows_b(), pair.rows_a()), (32 - 128) * 20);
}

TEST(BlockDistortion, EqualBlocksHaveNone) {
  const BlockPair pair(77, 77);
  EXPECT_EQ(block_satd(pair.rows_a(), pair.rows_b(), 16, 16), 0u);
  EXPECT_EQ(dc_satd_difference(pair.rows_a(), pair.rows_b()), 0);
  EXPECT_EQ(block_squared_error(pair.rows_a(), pair.rows_b(), 16, 16), 0u);
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// The SIMD code of the codecs on every Highway target of this processor, against the definitions.
// All memory has the exact size, so that AddressSanitizer detects accesses outside.
#include <millrace/algorithms/codecs/codecs_test_input.h>
#include <millrace/algorithms/codecs/cpu/bounded_simd.h>
#include <millrace/algorithms/codecs/cpu/delta_simd.h>
#include <millrace/algorithms/codecs/cpu/sparse_simd.h>
#include <millrace/algorithms/codecs/delta_reference.h>
#include <millrace/algorithms/codecs/sparse_reference.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace millrace::codecs {
namespace {

using Bytes = std::vector<std::byte>;

class CodecsOnTarget : public OnSimdTarget {
 protected:
  // Returns the only tile of a chunk that was encoded by the definition.
  static Bytes tile_of(const Bytes& coded) {
    return {coded.begin() + directory_end(1), coded.end()};
  }

  template <class T>
  void expect_tile_as_defined(const std::vector<T>& values) {
    const Bytes expected = tile_of(reference_encode_deltas<T>(values));
    Bytes tile(kMostTileBytes<T>);
    tile.resize(encode_tile<T>(values, tile.data()));
    EXPECT_EQ(tile, expected) << values.size();
    for (const Stores stores : {Stores::kCached, Stores::kStreaming}) {
      std::vector<T> decoded(values.size());
      EXPECT_TRUE(decode_tile<T>(expected, decoded, stores)) << values.size();
      EXPECT_EQ(decoded, values);
    }
  }

  SeededRandom random;
};

TEST_P(CodecsOnTarget, TilesOfDeltasAreAsDefined) {
  for (const std::size_t count : {0, 1, 100, 128, 1000, 4095, 4096}) {
    for (int i = 0; i < 6; ++i) {
      expect_tile_as_defined(random_integers<std::uint32_t>(count, random));
      expect_tile_as_defined(random_integers<std::uint64_t>(count, random));
    }
  }
}

// Returns integers with differences of every width, on which a block's layout depends.
template <class T>
std::vector<T> integers_of_width(int width, SeededRandom& random) {
  std::vector<T> values(300);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const T delta = width == 0 ? T{0} : static_cast<T>(random() >> (64 - width));
    values[i] = static_cast<T>(values[i - 1] + delta);
  }
  return values;
}

// Returns integers whose sums are as large as differences of a width allow.
template <class T>
std::vector<T> integers_with_largest_sums(int width) {
  std::vector<T> values(300);
  for (std::size_t i = 1; i < values.size(); ++i) {
    values[i] = static_cast<T>(values[i - 1] + low_bits<T>(width));
  }
  return values;
}

TEST_P(CodecsOnTarget, BlocksOfTheLargestDifferencesAreAsDefined) {
  for (int width = 1; width <= 32; ++width) {
    expect_tile_as_defined(integers_with_largest_sums<std::uint32_t>(width));
  }
  for (int width = 1; width <= 64; ++width) {
    expect_tile_as_defined(integers_with_largest_sums<std::uint64_t>(width));
  }
}

TEST_P(CodecsOnTarget, BlocksOfEveryWidthAreAsDefined) {
  for (int width = 0; width <= 32; ++width) {
    expect_tile_as_defined(integers_of_width<std::uint32_t>(width, random));
  }
  for (int width = 0; width <= 64; ++width) {
    expect_tile_as_defined(integers_of_width<std::uint64_t>(width, random));
  }
}

TEST_P(CodecsOnTarget, BoundedIntegersComeBackAndAreChecked) {
  for (int bits = 0; bits <= 32; ++bits) {
    const BoundedFormat format{std::uint64_t{1} << bits};
    for (const std::size_t count : {1, 128, 129, 1000}) {
      std::vector<std::uint32_t> values(count);
      for (auto& value : values) value = static_cast<std::uint32_t>(random(0, format.most()));
      Bytes blocks(BoundedFormat::blocks(count) * packed_block_bytes(bits));
      EXPECT_TRUE(encode_bounded(format, values, blocks.data()));
      std::vector<std::uint32_t> decoded(count);
      EXPECT_TRUE(decode_bounded(format, blocks, decoded, Stores::kStreaming));
      EXPECT_EQ(decoded, values) << bits << ", " << count;
    }
  }
}

TEST_P(CodecsOnTarget, AnIntegerNotBelowTheBoundIsNoticed) {
  const BoundedFormat wide{1024};
  const BoundedFormat narrow{1000};
  std::vector<std::uint32_t> values(300, 5);
  values[random(0, 299)] = 1000;
  Bytes blocks(3 * packed_block_bytes(10));
  EXPECT_FALSE(encode_bounded(narrow, values, blocks.data()));
  EXPECT_TRUE(encode_bounded(wide, values, blocks.data()));
  std::vector<std::uint32_t> decoded(300);
  EXPECT_FALSE(decode_bounded(narrow, blocks, decoded, Stores::kCached));
}

TEST_P(CodecsOnTarget, TilesOfSparseBlocksAreAsDefined) {
  for (const std::size_t count : {1, 31, 32}) {
    std::vector<CoefficientBlock> blocks(count);
    for (CoefficientBlock& block : blocks) {
      for (std::uint64_t n = random(0, 300); n > 0; --n) {
        block.values[random(0, 255)] = static_cast<std::int16_t>(random());
      }
    }
    const Bytes expected = tile_of(reference_encode_sparse(blocks));
    Bytes tile(kMostSparseTile);
    tile.resize(encode_sparse_tile(blocks, tile.data()));
    EXPECT_EQ(tile, expected);
    std::vector<CoefficientBlock> decoded(count);
    EXPECT_TRUE(decode_sparse_tile(expected, decoded));
    EXPECT_EQ(std::memcmp(decoded.data(), blocks.data(), count * sizeof(CoefficientBlock)), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(, CodecsOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::codecs

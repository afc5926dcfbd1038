// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/digit_partition.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::radix_sort {
namespace {

using testing::ElementsAre;

constexpr ElementRange kRange{100, 111, ElementRange::Memory::kInput};

TEST(DigitPartition, SplitsItsRangeIntoChunks) {
  const DigitPartition partition(kRange, ElementRange::Memory::kOutput, 3);
  std::size_t begin = kRange.begin;
  for (std::size_t chunk = 0; chunk < 3; ++chunk) {
    EXPECT_EQ(partition.chunk_begin(chunk), begin);
    EXPECT_THAT(partition.chunk_size(chunk), testing::AnyOf(3, 4));
    begin += partition.chunk_size(chunk);
  }
  EXPECT_EQ(begin, kRange.end);
}

// Elements of a value are ordered by chunk; those of the next value are behind them.
TEST(DigitPartition, TurnsCountsIntoIndices) {
  DigitPartition partition(kRange, ElementRange::Memory::kOutput, 3);
  partition.start_counting({.shift = 0, .bits = 1});
  const std::uint32_t counts[3][2] = {{3, 1}, {0, 4}, {2, 1}};
  for (std::size_t chunk = 0; chunk < 3; ++chunk) {
    std::ranges::copy(counts[chunk], partition.counts_of(chunk));
  }
  EXPECT_FALSE(partition.finish_chunk());
  EXPECT_FALSE(partition.finish_chunk());
  EXPECT_TRUE(partition.finish_chunk());

  partition.start_scattering();
  const auto indices = [&](std::size_t chunk) {
    return std::span(partition.next_indices_of(chunk), 2);
  };
  EXPECT_THAT(indices(0), ElementsAre(100, 105));
  EXPECT_THAT(indices(1), ElementsAre(103, 106));
  EXPECT_THAT(indices(2), ElementsAre(103, 110));
}

// Otherwise two threads would write one line all the time.
TEST(DigitPartition, GivesEachChunkCacheLinesOfItsOwn) {
  DigitPartition partition(kRange, ElementRange::Memory::kOutput, 3);
  for (int bits = 1; bits <= 6; ++bits) {
    partition.start_counting({.shift = 0, .bits = bits});
    partition.start_scattering();
    for (std::size_t chunk = 0; chunk < 3; ++chunk) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(partition.counts_of(chunk)) % kCacheLine, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(partition.next_indices_of(chunk)) % kCacheLine,
                0u);
    }
    EXPECT_GE(partition.counts_of(1), partition.counts_of(0) + partition.digit.values());
    EXPECT_GE(partition.next_indices_of(1),
              partition.next_indices_of(0) + partition.digit.values());
  }
}

}  // namespace
}  // namespace millrace::radix_sort

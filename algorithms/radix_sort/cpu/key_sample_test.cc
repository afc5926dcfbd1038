// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/key_sample.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace millrace::radix_sort {
namespace {

using testing::ElementsAre;

TEST(KeySample, IsEvenlySpacedFromTheFirstKeyToTheLast) {
  std::vector<std::uint32_t> keys(101);
  std::iota(keys.begin(), keys.end(), 0U);
  std::array<std::uint32_t, 5> samples;
  sample_keys<std::uint32_t>(keys.data(), keys.size(), {}, samples);
  EXPECT_THAT(samples, ElementsAre(0, 25, 50, 75, 100));
  sample_keys<std::uint32_t>(keys.data(), 1, {}, samples);
  EXPECT_THAT(samples, ElementsAre(0, 0, 0, 0, 0));
}

TEST(KeySample, HasOrderedKeys) {
  const std::vector<std::uint64_t> keys = {3, 1, 2};
  const auto bits = KeyBits<std::uint64_t>::of(KeyType::kU64, SortOrder::kDescending);
  std::array<std::uint64_t, 3> samples;
  sample_keys(keys.data(), keys.size(), bits, std::span<std::uint64_t>(samples));
  EXPECT_THAT(samples, ElementsAre(~std::uint64_t{3}, ~std::uint64_t{1}, ~std::uint64_t{2}));
}

TEST(KeySample, CountsTheMostFrequentValueOfADigit) {
  const std::vector<std::uint32_t> samples = {0x10, 0x11, 0x12, 0x20, 0x2F, 0x34, 0x100};
  const auto alike = [&](Digit digit) {
    return most_alike(std::span<const std::uint32_t>(samples), digit);
  };
  EXPECT_EQ(alike({.shift = 4, .bits = 4}), 3U);
  EXPECT_EQ(alike({.shift = 8, .bits = 11}), 6U);
  EXPECT_EQ(alike({.shift = 0, .bits = 9}), 1U);
  EXPECT_EQ(alike({.shift = 0, .bits = 0}), 0U);
}

}  // namespace
}  // namespace millrace::radix_sort

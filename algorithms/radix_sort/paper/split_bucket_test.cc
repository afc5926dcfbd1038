// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/paper/split_bucket.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Starts of digits that have so many records each.
std::vector<std::uint32_t> starts_of(const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> starts;
  std::uint32_t sum = 0;
  for (const std::uint32_t count : counts) {
    starts.push_back(sum);
    sum += count;
  }
  return starts;
}

TEST(SplitBucket, AreOneForEachDigitOfUniformKeys) {
  const Bucket all{0, 1600, 32, 0};
  const auto starts = starts_of(std::vector<std::uint32_t>(16, 100));
  const auto buckets = split_bucket(all, starts, BucketLimits(1600));
  ASSERT_EQ(buckets.size(), 16U);
  for (std::size_t d = 0; d < 16; ++d) {
    EXPECT_EQ(buckets[d].first, 100 * d);
    EXPECT_EQ(buckets[d].count, 100U);
    EXPECT_EQ(buckets[d].bits, 28);
    EXPECT_EQ(buckets[d].side, 1);
  }
}

// As figure 5 of the paper: one bucket is too large, small ones in a sequence are merged.
TEST(SplitBucket, SmallNeighboursAreMergedAndSortedByTheirDigitToo) {
  const Bucket all{0, 1600, 32, 0};
  const auto starts =
      starts_of({100, 800, 30, 30, 40, 30, 30, 30, 100, 100, 100, 100, 50, 60, 0, 0});
  const BucketLimits limits(1600);
  const auto buckets = split_bucket(all, starts, limits);
  ASSERT_EQ(buckets.size(), 10U);
  EXPECT_TRUE(limits.is_too_large(buckets[1]));
  EXPECT_EQ(buckets[2].count, 100U);
  EXPECT_EQ(buckets[2].bits, 32);
  EXPECT_EQ(buckets[3].count, 90U);
  EXPECT_FALSE(limits.is_too_large(buckets[3]));
}

TEST(SplitBucket, EmptyDigitsMakeNone) {
  const Bucket parent{50, 10, 8, 1};
  const auto buckets = split_bucket(parent, starts_of({0, 0, 10, 0}), BucketLimits(16));
  ASSERT_EQ(buckets.size(), 1U);
  EXPECT_EQ(buckets[0].first, 50U);
  EXPECT_EQ(buckets[0].count, 10U);
  EXPECT_EQ(buckets[0].bits, 4);
  EXPECT_EQ(buckets[0].side, 0);
}

TEST(SplitBucket, WithoutBitsLeftAreNeverTooLarge) {
  EXPECT_FALSE(BucketLimits(1600).is_too_large({0, 1600, 0, 0}));
}

}  // namespace
}  // namespace millrace::radix_sort

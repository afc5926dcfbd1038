// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/bucket_plan.h>

#include <gtest/gtest.h>

namespace millrace::radix_sort {
namespace {

constexpr std::size_t kPairBytes = 8;

TEST(BucketPlan, SortsByOneThreadUntilSeveralAreProfitable) {
  EXPECT_TRUE(BucketPlan(16'000, 16, 4).is_one_bucket(false));
  EXPECT_FALSE(BucketPlan(16'001, 16, 4).is_one_bucket(false));
  EXPECT_TRUE(BucketPlan(40'000, 16, 4).is_one_bucket(true));
  EXPECT_FALSE(BucketPlan(40'001, 16, 4).is_one_bucket(true));
}

TEST(BucketPlan, SortsWhatTheCacheHoldsByASingleThreadIfItIsByPivots) {
  EXPECT_TRUE(BucketPlan(500'000, 1, 4).is_one_bucket(true));
  EXPECT_FALSE(BucketPlan(500'000, 1, 8).is_one_bucket(true));
  EXPECT_FALSE(BucketPlan(500'000, 1, 4).is_one_bucket(false));
  EXPECT_FALSE(BucketPlan(500'000, 2, 4).is_one_bucket(true));
}

// A bucket that one thread sorts has at most twice an even fraction, if a partition is profitable.
TEST(BucketPlan, LeavesNoThreadAloneWithMostElements) {
  const struct {
    std::size_t count;
    int threads;
    std::size_t most;
  } tests[] = {
      {100'000, 1, 200'000},      {100'000, 2, 100'000},    {1'000'000, 2, 262'144},
      {100'000, 16, 32'000},      {1'000'000, 16, 125'000}, {1'000'000, 32, 62'500},
      {100'000'000, 16, 262'144},
  };
  for (const auto& test : tests) {
    EXPECT_EQ(BucketPlan(test.count, test.threads, kPairBytes).most_in_bucket(), test.most)
        << test.count << " by " << test.threads;
  }
}

TEST(BucketPlan, PartitionsASkewedBucketByEightBits) {
  EXPECT_EQ(BucketPlan(100'000, 16, kPairBytes).digit_bits(100'000), 5);
  EXPECT_EQ(BucketPlan(100'000, 16, kPairBytes).digit_bits(62'000), 8);
  EXPECT_EQ(BucketPlan(20'000'000, 16, kPairBytes).digit_bits(12'000'000), 11);
}

// All but one key of an outlier's distribution are in one bucket, and may be spread evenly in it.
TEST(BucketPlan, PartitionsABucketOfNearlyAllElementsAsTheWhole) {
  const BucketPlan plan(100'000, 16, kPairBytes);
  EXPECT_EQ(plan.digit_bits(99'999), plan.digit_bits(100'000));
}

// Three in four keys of a Zipf distribution have the same first digit.
TEST(BucketPlan, TakesSplittersForADigitThatLeavesOneThreadWithTooMany) {
  const struct {
    std::size_t count;
    int threads;
    std::size_t alike;
    bool needs;
  } tests[] = {
      {100'000, 1, 192, false},     {100'000, 2, 192, false},   {100'000, 4, 192, true},
      {100'000, 16, 192, true},     {100'000, 16, 33, true},    {100'000, 16, 32, false},
      {100'000, 32, 21, true},      {100'000, 32, 20, false},   {1'000'000, 16, 154, true},
      {1'000'000, 32, 17, true},    {1'000'000, 32, 16, false}, {1'000'000, 200, 16, false},
      {10'000'000, 16, 154, false}, {1'000'000, 16, 224, true}, {1'000'000, 16, 225, false},
  };
  for (const auto& test : tests) {
    EXPECT_EQ(BucketPlan(test.count, test.threads, kPairBytes).needs_splitters(test.alike, 256),
              test.needs)
        << test.alike << " of 256 samples of " << test.count << " by " << test.threads;
  }
}

TEST(BucketPlan, HasSplittersForBucketsForWhichATaskIsProfitable) {
  const auto bits = [](std::size_t count) {
    return BucketPlan(count, 16, kPairBytes).splitter_bits();
  };
  EXPECT_EQ(bits(20'000), 4);
  EXPECT_EQ(bits(100'000), 6);
  EXPECT_EQ(bits(1'000'000), 8);  // A byte numbers as many buckets.
  EXPECT_EQ(bits(1'500'000), 8);
}

TEST(BucketPlan, HasAChunkForEachThreadWhereTheyAreLargeEnough) {
  EXPECT_EQ(BucketPlan(1'000'000, 16, kPairBytes).chunks(1'000'000), 32u);
  EXPECT_EQ(BucketPlan(1'000'000, 16, kPairBytes).chunks(75'000), 16u);
  EXPECT_EQ(BucketPlan(1'000'000, 16, kPairBytes).chunks(45'000), 5u);
  EXPECT_EQ(BucketPlan(1'000'000, 16, kPairBytes).chunks(1'000), 1u);
  const std::size_t many = std::size_t{1} << 33;
  EXPECT_GT(BucketPlan(many, 1, kPairBytes).chunks(many), 4u);  // Below 2^32 elements each.
}

TEST(BucketPlan, PartitionsKeysUntilEveryThreadHasTwoRanges) {
  EXPECT_EQ(BucketPlan(100'000, 1, 4).split_levels(), 1);
  EXPECT_EQ(BucketPlan(100'000, 2, 4).split_levels(), 2);
  EXPECT_EQ(BucketPlan(100'000, 3, 4).split_levels(), 3);
  EXPECT_EQ(BucketPlan(1'000'000, 16, 4).split_levels(), 5);
  EXPECT_EQ(BucketPlan(20'000, 16, 4).split_levels(), 3);  // Each range has thousands of keys.
}

}  // namespace
}  // namespace millrace::radix_sort

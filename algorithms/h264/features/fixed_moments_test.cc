// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/fixed_moments.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace millrace::h264 {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 21;  // The value 1.

TEST(ToFixed, RoundsToTheNearestUnit) {
  EXPECT_EQ(to_fixed(0), 0);
  EXPECT_EQ(to_fixed(1), kOne / 2);
  EXPECT_EQ(to_fixed(std::ldexp(0.49, -20)), 0);
  EXPECT_EQ(to_fixed(std::ldexp(0.5, -20)), 1);
  EXPECT_EQ(to_fixed(std::ldexp(1.49, -20)), 1);
}

TEST(FixedMoments, GiveMeanAndDeviation) {
  FixedMoments moments;
  moments.take(1 * kOne, 1);
  moments.take(5 * kOne, 1);
  const MeanAndDeviation result = moments.mean_and_deviation(2);
  EXPECT_DOUBLE_EQ(result.mean, 3);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(1e-5 + 4));
  EXPECT_DOUBLE_EQ(moments.root_mean_square(2), std::sqrt(1e-5 + 13));
}

TEST(FixedMoments, BlocksThatWereNotTakenAreZeros) {
  FixedMoments moments;
  moments.take(4 * kOne, 2);
  const MeanAndDeviation result = moments.mean_and_deviation(4);
  EXPECT_DOUBLE_EQ(result.mean, 2);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(1e-5 + 4));
}

TEST(FixedMoments, AreZerosWithoutBlocks) {
  EXPECT_EQ(FixedMoments().mean_and_deviation(0).mean, 0);
  EXPECT_EQ(FixedMoments().mean_and_deviation(0).deviation, 0);
  EXPECT_EQ(FixedMoments().root_mean_square(0), 0);
}

// Many of the greatest value, which is not a whole number of units before it is rounded.
TEST(FixedMoments, TheLongestVectorsOfTheLargestPictureFit) {
  const double length = std::sqrt(2.0) * 32768;
  const std::uint64_t value = 2 * to_fixed(length);
  EXPECT_LT(value, std::uint64_t{1} << 37);
  constexpr std::uint64_t kBlocks = std::uint64_t{1} << 24;
  FixedMoments moments;
  moments.take(value, kBlocks);
  const MeanAndDeviation result = moments.mean_and_deviation(kBlocks);
  EXPECT_NEAR(result.mean, length, 1e-6);
  EXPECT_EQ(result.deviation, std::sqrt(1e-5));
  EXPECT_NEAR(moments.root_mean_square(kBlocks), length, 1e-6);

  // Half of them 0: the variance is a quarter of the square.
  EXPECT_NEAR(moments.mean_and_deviation(2 * kBlocks).deviation, length / 2, 1e-6);
}

TEST(FixedMoments, NoSumOverflowsForAnyValueBelowTheBound) {
  constexpr std::uint64_t kBlocks = std::uint64_t{1} << 24;
  constexpr std::uint64_t kGreatest = (std::uint64_t{1} << 37) - 1;
  FixedMoments moments;
  moments.take(kGreatest, kBlocks);
  EXPECT_EQ(moments.sum / kBlocks, kGreatest);
  EXPECT_EQ(moments.mean_and_deviation(kBlocks).deviation, std::sqrt(1e-5));
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0

// The interval of the median against distributions whose median is known.
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

TEST(Statistics, QuantilesOfFiveNumbers) {
  const std::vector<double> samples = {50, 10, 30, 20, 40};
  EXPECT_EQ(median(samples), 30);
  EXPECT_EQ(quantile(samples, 0), 10);
  EXPECT_EQ(quantile(samples, 1), 50);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.1), 14);
}

TEST(Statistics, TheMedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Statistics, RejectsNoSamplesAndOtherFractions) {
  EXPECT_THROW(median({}), Error);
  EXPECT_THROW(median_interval({}), Error);
  EXPECT_THROW(quantile({1}, 1.5), Error);
  EXPECT_THROW(quantile({1}, std::nan("")), Error);
}

// Ranks from tables of the sign test: n, and the k that has 95 %.
TEST(MedianInterval, TakesTheRanksOfTheSignTest) {
  const struct {
    int count;
    int k;
  } table[] = {{6, 1}, {8, 1}, {9, 2}, {12, 3}, {15, 4}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
  for (const auto& [count, k] : table) {
    std::vector<double> samples;
    for (int i = 1; i <= count; ++i) samples.push_back(i);
    const MedianInterval interval = median_interval(samples);
    EXPECT_EQ(interval.low, k) << count;
    EXPECT_EQ(interval.high, count + 1 - k) << count;
    EXPECT_EQ(interval.median, (count + 1) / 2.0) << count;
    EXPECT_GE(interval.coverage, 0.95) << count;
  }
}

TEST(MedianInterval, OfFiveSamplesIsAllOfThemAndSaysSo) {
  const MedianInterval interval = median_interval({3, 1, 2, 5, 4});
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 5);
  EXPECT_DOUBLE_EQ(interval.coverage, 1 - 2.0 / 32);
  EXPECT_EQ(median_interval({7}).coverage, 0);
  EXPECT_EQ(median_interval({7}).low, 7);
}

TEST(MedianInterval, HasAWidthRelativeToTheMedian) {
  EXPECT_DOUBLE_EQ((MedianInterval{.median = 4, .low = 3, .high = 5}.relative_width()), 0.5);
  EXPECT_EQ((MedianInterval{.median = 0, .low = 0, .high = 0}.relative_width()), 0);
}

struct Distribution {
  std::string name;
  double median;
  std::function<double(std::mt19937_64&)> draw;
};

std::ostream& operator<<(std::ostream& out, const Distribution& distribution) {
  return out << distribution.name;
}

// Solves P(below m) = 1/2 for the two peaks: 0.4 in the first, so a sixth of the second.
double two_peaks(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit;
  return unit(random) < 0.4 ? unit(random) : 10 + unit(random);
}

const Distribution kDistributions[] = {
    {"normal", 5, [](auto& random) { return std::normal_distribution<double>(5, 2)(random); }},
    {"exponential", std::log(2.0),
     [](auto& random) { return std::exponential_distribution<double>(1)(random); }},
    {"two_peaks", 10 + 1.0 / 6, two_peaks},
};

// Intervals of many draws cover the distribution's median as often as they have promised.
class CoverageTest : public testing::TestWithParam<Distribution> {};

TEST_P(CoverageTest, IsWhatTheIntervalSays) {
  const Distribution& distribution = GetParam();
  SeededRandom seed;
  std::mt19937_64 random(seed());
  constexpr int kDraws = 4000;
  for (const int count : {6, 11, 30, 101}) {
    int covered = 0;
    double promised = 0;
    for (int i = 0; i < kDraws; ++i) {
      std::vector<double> samples(count);
      for (double& sample : samples) sample = distribution.draw(random);
      const MedianInterval interval = median_interval(samples);
      covered += interval.low <= distribution.median && distribution.median <= interval.high;
      promised = interval.coverage;
    }
    const double fraction = static_cast<double>(covered) / kDraws;
    // Five standard deviations: once in more than a million runs.
    const double margin = 5 * std::sqrt(promised * (1 - promised) / kDraws);
    EXPECT_NEAR(fraction, promised, margin) << count << " samples";
    EXPECT_GE(promised, 0.95) << count << " samples";
  }
}

INSTANTIATE_TEST_SUITE_P(All, CoverageTest, testing::ValuesIn(kDistributions),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/metg.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

// Tasks whose work takes `work` seconds, which do 1 operation a second in it, beside an overhead.
std::vector<GranularityPoint> with_overhead(double overhead, double largest, double smallest) {
  std::vector<GranularityPoint> points;
  for (double work = largest; work >= smallest; work /= 2) {
    points.push_back({.task_seconds = work + overhead, .rate = work / (work + overhead)});
  }
  return points;
}

TEST(Metg, IsWhereWorkTakesAsLongAsTheOverhead) {
  // The peak of the largest tasks is a little below 1.
  EXPECT_NEAR(metg_of(with_overhead(1, 1 << 20, 1.0 / 1024)), 2, 1e-4);
  EXPECT_NEAR(metg_of(with_overhead(4, 1 << 20, 1.0 / 1024)), 8, 1e-3);
}

TEST(Metg, IsInterpolatedBetweenSizes) {
  const std::vector<GranularityPoint> points = {{100, 1}, {10, 0.8}, {6, 0.4}, {5, 0.1}};
  EXPECT_DOUBLE_EQ(metg_of(points), 7);  // A quarter of the way from 6 to 10.
}

TEST(Metg, IsThatOfAnyEfficiency) {
  const std::vector<GranularityPoint> points = {{100, 1}, {10, 0.8}, {6, 0.4}, {5, 0.1}};
  EXPECT_DOUBLE_EQ(metg_of(points, 0.8), 10);
  EXPECT_DOUBLE_EQ(metg_of(points, 0.4), 6);
}

TEST(Metg, IsNotInterpolatedTowardsASlowerPoint) {
  EXPECT_DOUBLE_EQ(metg_of({{100, 1}, {10, 0.8}, {12, 0.4}}), 10);
}

TEST(Metg, IsOfTheLeastTimeWhereEfficiencyRisesAgain) {
  EXPECT_DOUBLE_EQ(metg_of({{100, 1}, {10, 0.4}, {8, 0.6}, {4, 0.2}}), 7);
}

TEST(Metg, IsTheSmallestTimeWhereAllIsEfficient) {
  EXPECT_DOUBLE_EQ(metg_of({{100, 1}, {10, 0.9}, {5, 0.8}}), 5);
  EXPECT_DOUBLE_EQ(metg_of({{3, 7}}), 3);
}

TEST(Metg, TheHighestRateIsThePeak) {
  // Something has disturbed the largest tasks.
  EXPECT_DOUBLE_EQ(metg_of({{300, 0.3}, {10, 1}, {6, 0.75}, {4, 0.25}}), 5);
}

TEST(Metg, OfNoPointsIsRejected) { EXPECT_THROW(metg_of({}), Error); }

}  // namespace
}  // namespace millrace::tools

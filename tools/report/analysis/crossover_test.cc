// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/crossover.h>
#include <millrace/tools/report/analysis/made_up_results.h>

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <utility>

namespace millrace::tools {
namespace {

class CrossoverTest : public testing::Test {
 protected:
  // Builds a curve from pairs of a size and seconds.
  Curve curve(const std::string& policy,
              std::initializer_list<std::pair<std::uint64_t, double>> points,
              double spread = 0.01) {
    Curve curve{{0, "tbb"}, policy, {}};
    for (const auto& [size, seconds] : points) {
      measurements_.push_back(
          std::make_unique<Measurement>(made_up("tree", "tbb", policy, size, seconds, spread)));
      curve.points.push_back(measurements_.back().get());
    }
    return curve;
  }

  std::vector<std::unique_ptr<Measurement>> measurements_;
};

// Times are s and 20 sqrt(s), which are equal at 400.
TEST_F(CrossoverTest, IsExactWherePowersCross) {
  const Curve a = curve("a", {{10, 10}, {100, 100}, {10'000, 10'000}});
  const Curve b = curve("b", {{10, 20 * std::sqrt(10)}, {100, 200}, {10'000, 2000}});
  for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}}) {
    const std::vector<Crossover> found = crossovers_of(first, second);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].before, "a");
    EXPECT_EQ(found[0].after, "b");
    EXPECT_EQ(found[0].below, 100U);
    EXPECT_EQ(found[0].above, 10'000U);
    EXPECT_NEAR(found[0].size, 400, 1e-6);
  }
}

TEST_F(CrossoverTest, IsNotClaimedWhereChanceMayExplainIt) {
  const Curve a = curve("a", {{10, 10}, {1000, 1050}}, 0.1);
  const Curve b = curve("b", {{10, 20}, {1000, 1000}}, 0.1);
  EXPECT_TRUE(crossovers_of(a, b).empty());
}

TEST_F(CrossoverTest, IsNotClaimedFromFewerThanSixRuns) {
  const Curve a = curve("a", {{10, 10}, {1000, 1000}});
  const Curve b = curve("b", {{10, 20}, {1000, 500}});
  EXPECT_EQ(crossovers_of(a, b).size(), 1U);
  measurements_.back()->seconds.resize(5);
  EXPECT_TRUE(crossovers_of(a, b).empty());
}

TEST_F(CrossoverTest, SpansSizesThatAreNotClear) {
  const Curve a = curve("a", {{1, 1}, {10, 10}, {100, 100}, {1000, 1000}}, 0.05);
  const Curve b = curve("b", {{1, 5}, {10, 10.2}, {100, 98}, {1000, 500}}, 0.05);
  const std::vector<Crossover> found = crossovers_of(a, b);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].below, 1U);
  EXPECT_EQ(found[0].above, 1000U);
  EXPECT_GT(found[0].size, 10);
  EXPECT_LT(found[0].size, 100);
}

TEST_F(CrossoverTest, MayHappenTwice) {
  const Curve a = curve("a", {{1, 1}, {10, 10}, {100, 100}});
  const Curve b = curve("b", {{1, 2}, {10, 5}, {100, 200}});
  const std::vector<Crossover> found = crossovers_of(a, b);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].after, "b");
  EXPECT_EQ(found[1].after, "a");
}

TEST_F(CrossoverTest, NeedsSizesThatBothHave) {
  EXPECT_TRUE(crossovers_of(curve("a", {{1, 1}, {3, 9}}), curve("b", {{2, 2}, {4, 1}})).empty());
  EXPECT_TRUE(crossovers_of(curve("a", {{0, 1}, {3, 9}}), curve("b", {{0, 2}, {3, 1}})).empty());
  EXPECT_TRUE(crossovers_of(curve("a", {}), curve("b", {{1, 1}})).empty());
}

TEST_F(CrossoverTest, IsOfThoseThatAreTheFastestSomewhere) {
  const std::vector<Crossover> found =
      crossovers_of({curve("a", {{10, 1}, {1000, 1000}}), curve("b", {{10, 5}, {1000, 10}}),
                     curve("slow", {{10, 3}, {1000, 500}}), curve("auto", {{10, 0.9}, {1000, 9}})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].before, "a");
  EXPECT_EQ(found[0].after, "b");
}

TEST_F(CrossoverTest, IsOfAutoWhereItIsTheOnlyPolicy) {
  const Curve a = curve("auto", {{10, 10}, {1000, 1000}});
  const Curve b = curve("", {{10, 20}, {1000, 500}});
  measurements_[2]->peer = measurements_[3]->peer = "CUB";
  EXPECT_EQ(crossovers_of({a, b}).size(), 1U);
}

}  // namespace
}  // namespace millrace::tools

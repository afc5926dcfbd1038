// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/finding.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

TEST(FindingVerdict, ComparesEffectsByLogarithms) {
  EXPECT_EQ(verdict_of(2, 2), FindingVerdict::kHolds);
  EXPECT_EQ(verdict_of(9, 2), FindingVerdict::kHolds);
  EXPECT_EQ(verdict_of(11, 100), FindingVerdict::kHolds);
  EXPECT_EQ(verdict_of(9, 100), FindingVerdict::kWeaker);
  EXPECT_EQ(verdict_of(1.01, 100), FindingVerdict::kFails);  // None, within noise.
  EXPECT_EQ(verdict_of(0.5, 2), FindingVerdict::kFails);
  EXPECT_EQ(verdict_of(0.5, 0.6), FindingVerdict::kHolds);
  EXPECT_EQ(verdict_of(1.5, 0.6), FindingVerdict::kFails);
}

TEST(SpeedUp, IsSaidWithThePapers) {
  const SpeedUpClaim claim{.claim = "A outperforms B",
                           .faster = "A",
                           .slower = "B",
                           .where = "for 9 keys",
                           .paper = 4,
                           .why_untested = "there is no A"};
  const Finding holds = speed_up_finding(claim, 3.14159);
  EXPECT_EQ(holds.verdict, FindingVerdict::kHolds);
  EXPECT_EQ(holds.sentence(), "Holds here: A is 3.14 times as fast as B for 9 keys (paper: 4).");
  EXPECT_EQ(speed_up_finding(claim, 1.2).sentence().find("Holds here, but weaker: "), 0u);
  EXPECT_EQ(speed_up_finding(claim, 0.7).sentence().find("Does not hold here: "), 0u);
  const Finding none = speed_up_finding(claim, {});
  EXPECT_EQ(none.verdict, FindingVerdict::kUntested);
  EXPECT_EQ(none.sentence(), "Not tested here: there is no A.");
}

TEST(Saving, SavesOrAdds) {
  const SavingClaim claim{.claim = "A is better",
                          .what = "A",
                          .base = "B",
                          .where = "for 9 keys",
                          .paper_percent = 26,
                          .why_untested = "there is no A"};
  EXPECT_EQ(saving_finding(claim, 30).verdict, FindingVerdict::kHolds);
  EXPECT_EQ(saving_finding(claim, 9).verdict, FindingVerdict::kWeaker);
  EXPECT_THAT(saving_finding(claim, 9).reason, HasSubstr("A saves 9 % of B's time"));
  EXPECT_EQ(saving_finding(claim, -9).verdict, FindingVerdict::kFails);
  EXPECT_THAT(saving_finding(claim, -9).reason, HasSubstr("A adds 9 % of B's time"));
  EXPECT_EQ(saving_finding(claim, {}).verdict, FindingVerdict::kUntested);
}

TEST(Crossover, IsFromTheOneToTheOther) {
  const CrossoverClaim claim{.claim = "A first, then B",
                             .small = "A",
                             .large = "B",
                             .paper = "at 50",
                             .why_untested = "there is no A"};
  const SizeSeries rising = {{10, 1}, {100, 9}};
  const SizeSeries flat = {{10, 2}, {100, 3}};
  const Finding crosses = crossover_finding(claim, rising, flat);
  EXPECT_EQ(crosses.verdict, FindingVerdict::kHolds);
  EXPECT_THAT(crosses.reason, HasSubstr("B from between 10 and 100 on (paper: at 50)"));
  EXPECT_EQ(crossover_finding(claim, flat, rising).verdict, FindingVerdict::kFails);
  const Finding never = crossover_finding(claim, {{10, 1}, {100, 1}}, flat);
  EXPECT_EQ(never.verdict, FindingVerdict::kFails);
  EXPECT_THAT(never.reason, HasSubstr("A is faster from 10 to 100, all that was measured"));
  EXPECT_EQ(crossover_finding(claim, {}, flat).verdict, FindingVerdict::kUntested);
}

TEST(Crossover, IsNoneWithinNoise) {
  const CrossoverClaim claim{.claim = "A first, then B",
                             .small = "A",
                             .large = "B",
                             .paper = "at 50",
                             .why_untested = "there is no A"};
  const SizeSeries a = {{10, 1}, {50, 2}, {100, 3.003}};
  const Finding touches = crossover_finding(claim, a, {{10, 2}, {50, 4}, {100, 3}});
  EXPECT_EQ(touches.verdict, FindingVerdict::kFails);
  EXPECT_THAT(touches.reason,
              HasSubstr("A is faster from 10 to 50; at no size is the other faster by 2 % (paper"));
  const Finding equal = crossover_finding(claim, a, {{10, 1}, {50, 2.01}, {100, 3}});
  EXPECT_EQ(equal.verdict, FindingVerdict::kFails);
  EXPECT_THAT(equal.reason, HasSubstr("A and B are within 2 % of each other from 10 to 100, all"));
}

TEST(Words, HaveThreeDigitsOrSo) {
  EXPECT_EQ(in_words(0), "0");
  EXPECT_EQ(in_words(2), "2");
  EXPECT_EQ(in_words(1.2345), "1.23");
  EXPECT_EQ(in_words(12.345), "12.3");
  EXPECT_EQ(in_words(1234.6), "1235");
  EXPECT_EQ(in_words(-0.064), "-0.064");
}

}  // namespace
}  // namespace millrace::tools

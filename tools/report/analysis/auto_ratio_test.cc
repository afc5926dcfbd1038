// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/analysis/auto_ratio.h>
#include <millrace/tools/report/analysis/made_up_results.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

class AutoRatioTest : public testing::Test {
 protected:
  // One round of every policy takes its seconds.
  void add(const std::string& workload, std::uint64_t size, const std::string& policy,
           double seconds, const std::string& device = "tbb") {
    results_.measurements.push_back(made_up(workload, device, policy, size, seconds));
  }

  std::vector<AutoRatio> ratios() {
    merged_ = merged({results_});
    groups_ = groups_of(merged_);
    return auto_ratios(groups_);
  }

  Results results_ = made_up_machine("lab");
  MergedResults merged_;
  std::vector<Group> groups_;
};

TEST_F(AutoRatioTest, IsToTheBestFixedPolicyOfTheConfiguration) {
  add("tree", 10, "persistent", 4);
  add("tree", 10, "uberkernel", 2);
  add("tree", 10, "auto", 3);
  add("tree", 20, "persistent", 1);
  add("tree", 10, "uberkernel", 0.5, "cuda:0");
  const std::vector<AutoRatio> found = ratios();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].best->policy, "uberkernel");
  EXPECT_EQ(found[0].best->device, "tbb");
  EXPECT_EQ(found[0].ratio.median, 1.5);
  EXPECT_EQ(found[0].ratio.low, 1.5);
  EXPECT_FALSE(found[0].first_ratio);
}

TEST_F(AutoRatioTest, NeedsAFixedPolicyThatDidTheSame) {
  add("tree", 10, "auto", 3);
  add("tree", 10, "persistent", 4);
  add("tree", 10, "uberkernel", 4);
  add("tree", 10, "kernel-per-type", 4);
  results_.measurements[1].strategy = "whole";
  results_.measurements[2].peer = "CUB";
  results_.measurements[3].status = MeasurementStatus::kWrong;
  EXPECT_TRUE(ratios().empty());
}

TEST_F(AutoRatioTest, ComparesRunsOfOneRound) {
  add("tree", 10, "persistent", 2);
  add("tree", 10, "auto", 2);
  // Both are disturbed in the same rounds: auto takes twice as long in each.
  results_.measurements[0].seconds = {1, 1, 8, 2, 2, 9};
  results_.measurements[1].seconds = {2, 2, 16, 4, 4, 18};
  const std::vector<AutoRatio> found = ratios();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ratio.median, 2);
  EXPECT_EQ(found[0].ratio.high, 2);
}

TEST_F(AutoRatioTest, ComparesMediansWhereRoundsAreMissing) {
  add("tree", 10, "persistent", 2);
  add("tree", 10, "auto", 3);
  results_.measurements[0].seconds.pop_back();
  const std::vector<AutoRatio> found = ratios();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ratio.median, 1.5);
  EXPECT_NEAR(found[0].ratio.low, 1.5 * 0.99 / 1.01, 1e-9);
  EXPECT_NEAR(found[0].ratio.high, 1.5 * 1.01 / 0.99, 1e-9);
}

TEST_F(AutoRatioTest, HasTheFirstRunWhereItWasMeasured) {
  add("tree", 10, "persistent", 2);
  add("tree", 10, "auto", 2);
  results_.measurements[1].values["first run s"] = 5;
  EXPECT_EQ(ratios().at(0).first_ratio, 2.5);
}

TEST_F(AutoRatioTest, HasTheBestPolicyAgainWhereItWasMeasured) {
  for (const std::uint64_t size : {10, 20}) {
    add("tree", size, "persistent", 2);
    add("tree", size, "auto", 2);
    add("tree", size, "", size == 10 ? 2 : 3);
    results_.measurements.back().strategy = "best-again";
  }
  const std::vector<AutoRatio> found = ratios();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].again_ratio, 1);
  EXPECT_EQ(found[1].again_ratio, 1.5);
  const AutoSummary summary = summarize(found);
  EXPECT_EQ(summary.again->close_fraction, 0.5);
  EXPECT_EQ(summary.again->worst, 1.5);
  EXPECT_EQ(summary.automatic.close_fraction, 1);
}

TEST_F(AutoRatioTest, CountsRatiosOfAtMostOneAndAHalf) {
  for (const auto& [size, first] : {std::pair{1, 1.0}, {2, 1.5}, {3, 1.51}, {4, 30.0}}) {
    add("tree", size, "persistent", 1);
    add("tree", size, "auto", 1);
    results_.measurements.back().values["first run s"] = first;
  }
  const AutoSummary summary = summarize(ratios());
  EXPECT_EQ(summary.automatic.near_fraction, 1);
  EXPECT_EQ(summary.first->near_fraction, 0.5);
  EXPECT_EQ(summary.first->close_fraction, 0.25);
}

TEST_F(AutoRatioTest, IsSummarizedByMedianFractionsAndWorst) {
  for (const auto& [size, seconds] :
       {std::pair{1, 1.0}, {2, 1.05}, {3, 1.2}, {4, 1.04}, {5, 0.98}}) {
    add("tree", size, "persistent", 1);
    add("tree", size, "auto", seconds);
  }
  const std::vector<AutoRatio> found = ratios();
  const AutoSummary summary = summarize(found);
  EXPECT_EQ(summary.automatic.count, 5U);
  EXPECT_EQ(summary.automatic.median, 1.04);
  EXPECT_EQ(summary.automatic.close_fraction, 0.8);
  EXPECT_EQ(summary.automatic.worst, 1.2);
  EXPECT_FALSE(summary.first);
  EXPECT_FALSE(summary.again);
  EXPECT_EQ(summary.worst->automatic->size, 3U);
  EXPECT_THROW(summarize({}), Error);
}

}  // namespace
}  // namespace millrace::tools

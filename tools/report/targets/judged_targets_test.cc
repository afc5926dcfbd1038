// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/targets/judged_targets.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

// A rate of `least` items a second of the tree on tbb: persistent threads do 100 on size 10.
Target rate_target(double bar) {
  Target target;
  target.of.workload = "tree";
  target.of.size = 10;
  target.of.device = "tbb";
  target.bar = bar;
  return target;
}

TargetSet set_of(std::vector<Target> targets) {
  TargetSet set;
  set.label = "lab";
  set.targets = std::move(targets);
  return set;
}

Results results_of(std::vector<Measurement> measurements) {
  Results results = made_up_machine("lab");
  results.measurements = std::move(measurements);
  return results;
}

// 1000 items in 10 s, known to 1 %: 99.0 to 101.0 a second.
Measurement tree(const std::string& policy = "persistent", double seconds = 10) {
  return made_up("tree", "tbb", policy, 10, seconds);
}

std::vector<TargetVerdict> verdicts(const std::vector<Target>& targets, const Results& results) {
  const TargetSet set = set_of(targets);
  std::vector<TargetVerdict> found;
  for (const JudgedTarget& each : judge_targets(set, results).targets) {
    found.push_back(each.verdict);
  }
  return found;
}

TEST(JudgedTargets, AreMetOrMissedOutsideOfTheInterval) {
  const Results results = results_of({tree()});
  EXPECT_THAT(verdicts({rate_target(99), rate_target(100), rate_target(102)}, results),
              ElementsAre(TargetVerdict::kMet, TargetVerdict::kNotKnown, TargetVerdict::kMissed));
  std::vector<Target> most = {rate_target(98), rate_target(100), rate_target(102)};
  for (Target& target : most) target.is_least = false;
  EXPECT_THAT(verdicts(most, results),
              ElementsAre(TargetVerdict::kMissed, TargetVerdict::kNotKnown, TargetVerdict::kMet));
}

TEST(JudgedTargets, AreNotKnownOfFewerThanSixRuns) {
  Measurement five_runs = tree();
  five_runs.seconds.resize(5);
  const TargetSet set = set_of({rate_target(1)});
  const Results results = results_of({five_runs});
  const JudgedTargets judged = judge_targets(set, results);
  ASSERT_EQ(judged.targets.size(), 1U);
  EXPECT_EQ(judged.targets[0].verdict, TargetVerdict::kNotKnown);
  EXPECT_EQ(judged.targets[0].reason, "fewer than six runs");
  EXPECT_EQ(judged.targets[0].figure, 100);
}

TEST(JudgedTargets, AreForTheFastestOfMillracesOwn) {
  Measurement peer = tree("", 1);
  peer.peer = "another";
  const Results results = results_of({tree("persistent", 10), tree("uberkernel", 5), peer});
  Target target = rate_target(1);
  const TargetSet set = set_of({target});
  EXPECT_EQ(judge_targets(set, results).targets[0].measurement->policy, "uberkernel");
  target.of.policy = "pers*";
  const TargetSet of_policy = set_of({target});
  EXPECT_EQ(judge_targets(of_policy, results).targets[0].measurement->policy, "persistent");
  target.of.policy.reset();
  target.of.peer = "*";
  const TargetSet of_peer = set_of({target});
  EXPECT_EQ(judge_targets(of_peer, results).targets[0].measurement->peer, "another");
}

TEST(JudgedTargets, HoldForEachConfigurationThatMatches) {
  Target target = rate_target(1);
  target.of = {};
  target.of.workload = "tr?e";
  const TargetSet set = set_of({target});
  const Results results = made_up_results("lab");
  std::vector<std::string> found;
  for (const JudgedTarget& each : judge_targets(set, results).targets) {
    found.push_back(each.measurement->device + " " + std::to_string(each.measurement->size));
  }
  EXPECT_THAT(found, ElementsAre("tbb 10", "tbb 160", "cuda:0 10", "cuda:0 160"));
}

TEST(JudgedTargets, HaveTimesAndFractionsOfLimits) {
  Measurement measured = tree();
  measured.limit = "copy";
  measured.limit_fraction = 0.5;
  Target time = rate_target(1);
  time.figure = FigureKind::kTime;
  Target fraction = rate_target(0.4);
  fraction.figure = FigureKind::kLimitFraction;
  const TargetSet set = set_of({time, fraction});
  const Results results = results_of({measured});
  const JudgedTargets judged = judge_targets(set, results);
  EXPECT_EQ(judged.targets[0].figure, 10);
  EXPECT_EQ(judged.targets[0].low, 9.9);
  EXPECT_EQ(judged.targets[1].figure, 0.5);
  EXPECT_NEAR(judged.targets[1].low, 0.5 / 1.01, 1e-12);
  EXPECT_NEAR(judged.targets[1].high, 0.5 / 0.99, 1e-12);
  EXPECT_EQ(judged.count(TargetVerdict::kMet), 2U);
}

TEST(JudgedTargets, HaveRatiosToPeersAndOtherInputs) {
  Measurement peer = tree("", 20);
  peer.peer = "CUB";
  Measurement clustered = tree("auto", 40);
  clustered.input = "clustered";
  const Results results = results_of({tree(), peer, clustered});
  Target target = rate_target(1.5);
  target.of.input = "";
  target.figure = FigureKind::kRatio;
  target.to.peer = "*";
  Target to_input = target;
  to_input.to = {};
  to_input.to.input = "clustered";
  const TargetSet set = set_of({target, to_input});
  const JudgedTargets judged = judge_targets(set, results);
  ASSERT_EQ(judged.targets.size(), 2U);
  EXPECT_EQ(judged.targets[0].other->peer, "CUB");
  EXPECT_EQ(judged.targets[0].figure, 2);
  EXPECT_NEAR(judged.targets[0].low, 2 * 0.99 / 1.01, 1e-12);
  EXPECT_NEAR(judged.targets[0].high, 2 * 1.01 / 0.99, 1e-12);
  EXPECT_EQ(judged.targets[1].other->input, "clustered");
  EXPECT_EQ(judged.targets[1].figure, 4);
}

TEST(JudgedTargets, CompareValuesAsTheyAre) {
  Measurement measured = tree();
  measured.seconds.resize(1);
  measured.values["bits per item"] = 3.5;
  Target target = rate_target(3.5);
  target.figure = FigureKind::kValue;
  target.value = "bits per item";
  Target missing = target;
  missing.value = "gain";
  const TargetSet set = set_of({target, missing});
  const Results results = results_of({measured});
  const JudgedTargets judged = judge_targets(set, results);
  EXPECT_EQ(judged.targets[0].verdict, TargetVerdict::kMet);
  EXPECT_EQ(judged.targets[1].verdict, TargetVerdict::kNoFigure);
  EXPECT_EQ(judged.targets[1].reason, "has no value 'gain'");
}

TEST(JudgedTargets, SayWhyThereIsNoFigure) {
  Measurement wrong = tree();
  wrong.status = MeasurementStatus::kWrong;
  wrong.message = "differs at 3";
  Measurement absent = tree("");
  absent.size = 20;
  absent.peer = "CUB";
  absent.status = MeasurementStatus::kUnsupported;
  absent.message = "is not installed";
  Measurement beside = tree();
  beside.size = 20;
  Target ratio = rate_target(1);
  ratio.of.size = 20;
  ratio.figure = FigureKind::kRatio;
  ratio.to.peer = "CUB";
  Target to_nothing = ratio;
  to_nothing.to.peer = "rocPRIM";
  const TargetSet set = set_of({rate_target(1), ratio, to_nothing});
  const Results results = results_of({wrong, absent, beside});
  const JudgedTargets judged = judge_targets(set, results);
  ASSERT_EQ(judged.targets.size(), 3U);
  EXPECT_EQ(judged.count(TargetVerdict::kNoFigure), 3U);
  EXPECT_EQ(judged.targets[0].reason, "wrong result: differs at 3");
  EXPECT_EQ(judged.targets[1].reason, "CUB: not supported: is not installed");
  EXPECT_EQ(judged.targets[2].reason, "the other side of the ratio was not measured");
}

TEST(JudgedTargets, ListWhatWasNotMeasured) {
  Target target = rate_target(1);
  target.of.size = 11;
  const TargetSet set = set_of({target, rate_target(1)});
  const Results results = results_of({tree()});
  const JudgedTargets judged = judge_targets(set, results);
  EXPECT_THAT(judged.not_measured, ElementsAre(&set.targets[0]));
  EXPECT_EQ(judged.targets.size(), 1U);
}

TEST(JudgedTargets, AreComparedOnTheirMachineAlone) {
  Results results = results_of({tree(), made_up("tree", "cuda:0", "auto", 10, 1)});
  results.devices[0].description = "NVIDIA H200 NVL";
  TargetSet set = set_of({rate_target(1)});
  set.targets[0].of.device.reset();
  set.label = "office";
  EXPECT_FALSE(judge_targets(set, results).is_of_machine);
  EXPECT_TRUE(judge_targets(set, results).targets.empty());
  set.label.reset();
  set.device = "NVIDIA H200*";
  const JudgedTargets judged = judge_targets(set, results);
  EXPECT_TRUE(judged.is_of_machine);
  ASSERT_EQ(judged.targets.size(), 1U);
  EXPECT_EQ(judged.targets[0].measurement->device, "cuda:0");
  set.device = "NVIDIA H100*";
  EXPECT_FALSE(judge_targets(set, results).is_of_machine);
}

}  // namespace
}  // namespace millrace::tools

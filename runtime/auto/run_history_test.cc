// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/run_history.h>

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace millrace {
namespace {

const WorkKey kKey{.size_class = 4, .workers = 2, .roots = typeid(int), .device = "any"};
const WorkFeatures kKnown{.roots = 10};

// Returns costs of 1 for a run under each policy, so that the model prefers none.
DeviceCosts even_costs() {
  DeviceCosts costs;
  for (const Policy policy : kConcretePolicies) {
    costs.of(policy)[kCostOfRun] = 1;
    costs.of(policy)[kCostOfWork] = 1;
  }
  return costs;
}

RunReport report_of(Policy policy, std::uint64_t tasks, std::uint64_t waves = 0) {
  return {.policy = policy, .tasks_by_type = {tasks}, .waves = waves};
}

// Simulates runs, each of which takes the `seconds` of its policy. run() returns the policy that
// was last chosen as the best.
struct SimulatedRuns {
  RunHistory& history;
  DeviceCosts costs = even_costs();
  WorkFeatures known = kKnown;
  std::uint64_t tasks = 1000;
  double all_seconds = 0;
  std::array<int, 3> counts{};

  Policy run(const std::array<double, 3>& seconds, int times) {
    Policy last = Policy::kAuto;
    for (int i = 0; i < times; ++i) {
      const RunChoice choice = history.choose(kKey, known, costs);
      const std::size_t index = DeviceCosts::index_of(choice.policy);
      history.add(kKey, choice, report_of(choice.policy, tasks), seconds[index]);
      all_seconds += seconds[index];
      ++counts[index];
      if (!choice.is_trial) last = choice.policy;
    }
    return last;
  }
};

TEST(RunHistory, BeginsWithWhatTheModelSays) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kUberkernel)[kCostOfRun] = 0.5;
  const RunChoice choice = history.choose(kKey, kKnown, costs);
  EXPECT_EQ(choice.policy, Policy::kUberkernel);
  EXPECT_FALSE(choice.is_known);
  EXPECT_FALSE(choice.is_trial);
}

TEST(RunHistory, FindsThePolicyThatIsFastest) {
  for (std::size_t best = 0; best < 3; ++best) {
    RunHistory history;
    SimulatedRuns runs{history};
    std::array<double, 3> seconds{1.5, 1.5, 1.5};
    seconds[best] = 1;
    EXPECT_EQ(runs.run(seconds, 40), kConcretePolicies[best]);
  }
}

TEST(RunHistory, AFirstRunThatHadMuchToSetUpIsNoVerdict) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.run({100, 100, 100}, 3);
  EXPECT_EQ(runs.run({1, 2, 2}, 200), Policy::kPersistentThreads);
}

TEST(RunHistory, TrialsCostASmallFractionOfTheTime) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.costs.of(Policy::kUberkernel)[kCostOfRun] = 0.9;
  const std::array<double, 3> seconds{1.8, 1, 1.8};
  runs.run(seconds, 500);
  const double best = 500;
  const double unforeseen = 0.8;  // Additional cost of a trial that the model underestimated.
  EXPECT_LE(runs.all_seconds,
            best + RunHistory::kMostTrialFraction * runs.all_seconds + unforeseen + 1e-6);
  EXPECT_GT(runs.counts[0], 0);
}

TEST(RunHistory, ATrialThatCostMuchIsNotRepeatedBeforeItIsASmallFraction) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.costs.of(Policy::kUberkernel)[kCostOfRun] = 0.9;
  runs.run({100, 1, 1}, 1000);
  EXPECT_EQ(runs.counts[0], 1);
  runs.run({1, 1, 1}, 3000);
  EXPECT_GT(runs.counts[0], 1);
}

// Expects the policy that the model predicts to be fastest once it knows the time of an item.
TEST(RunHistory, WhatIsPredictedToBeTheQuickestIsATrialToo) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.costs.of(Policy::kUberkernel)[kCostOfRun] = 0.5;
  runs.costs.of(Policy::kPersistentThreads)[kCostOfWork] = 0.1;
  runs.costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
  EXPECT_EQ(runs.run({10, 2, 1e9}, 1), Policy::kUberkernel);
  EXPECT_EQ(runs.run({10, 2, 1e9}, 50), Policy::kUberkernel);
  EXPECT_EQ(runs.counts[0], 1);
}

TEST(RunHistory, WhatIsPredictedToTakeMoreThanTwiceAsLongIsNotTried) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.costs.of(Policy::kPersistentThreads)[kCostOfRun] = 10;
  runs.costs.of(Policy::kPersistentThreads)[kCostOfWork] = 10;
  runs.run({1, 1, 1}, 300);
  EXPECT_EQ(runs.counts[0], 0);
}

TEST(RunHistory, WavesAreNotTriedOnMoreJoinsThanMemoryHolds) {
  for (const std::uint64_t tasks : {std::uint64_t{1} << 23, std::uint64_t{1} << 25}) {
    RunHistory history;
    SimulatedRuns runs{history};
    runs.known.opens_joins = true;
    runs.tasks = tasks;
    runs.costs.of(Policy::kUberkernel)[kCostOfRun] = 1.1;
    runs.costs.of(Policy::kKernelPerType)[kCostOfRun] = 1.2;
    runs.run({1, 1, 1}, 100);
    EXPECT_GT(runs.counts[DeviceCosts::index_of(Policy::kPersistentThreads)], 0);
    const bool are_tried = tasks < RunHistory::kMostJoinItemsInWaves;
    EXPECT_EQ(runs.counts[DeviceCosts::index_of(Policy::kUberkernel)] > 0, are_tried);
    EXPECT_EQ(runs.counts[DeviceCosts::index_of(Policy::kKernelPerType)] > 0, are_tried);
  }
}

// A disturbance slows all trials of the first runs.
TEST(RunHistory, RunsOneThatIsCloseAgain) {
  RunHistory history;
  SimulatedRuns runs{history};
  ASSERT_EQ(runs.run({1e-5, 1.2e-5, 1.5e-5}, 24), Policy::kPersistentThreads);
  ASSERT_EQ(runs.counts[1], 4);
  EXPECT_EQ(runs.run({1e-5, 0.9e-5, 1.5e-5}, 60), Policy::kUberkernel);
  EXPECT_EQ(runs.counts[2], 4) << "far from the best one";
}

TEST(RunHistory, RunsOthersAgainLater) {
  RunHistory history;
  SimulatedRuns runs{history};
  ASSERT_EQ(runs.run({1e-5, 2e-5, 3e-5}, 100), Policy::kPersistentThreads);
  ASSERT_EQ(runs.counts[1], 4);
  EXPECT_EQ(runs.run({1e-5, 0.7e-5, 3e-5}, 200), Policy::kUberkernel);
}

// Each fifth run of the first policy takes half as long.
TEST(RunHistory, LuckyRunsDoNotDecide) {
  RunHistory history;
  SimulatedRuns runs{history};
  for (int i = 0; i < 300; ++i) {
    runs.run({runs.counts[0] % 5 == 0 ? 1e-5 : 2e-5, 1.5e-5, 3e-5}, 1);
  }
  EXPECT_GT(runs.counts[1], 200);
}

TEST(RunHistory, RunsOthersAgainMoreAndMoreSeldom) {
  RunHistory history;
  SimulatedRuns runs{history};
  runs.run({1e-5, 1.04e-5, 1.5e-5}, 5000);
  EXPECT_GT(runs.counts[1], 16);
  EXPECT_LE(runs.counts[1], 40);
  EXPECT_GT(runs.counts[2], 4);
  EXPECT_LE(runs.counts[2], 28);
}

TEST(RunHistory, TrialsOfAPolicyFollowOneAnother) {
  RunHistory history;
  SimulatedRuns runs{history};
  std::string order;
  for (int i = 0; i < 40; ++i) {
    const std::array<int, 3> before = runs.counts;
    runs.run({1e-5, 1.1e-5, 1.1e-5}, 1);
    for (std::size_t policy = 1; policy < 3; ++policy) {
      if (runs.counts[policy] > before[policy]) order += policy == 1 ? 'u' : 'k';
    }
  }
  EXPECT_EQ(order.substr(0, 8), "uuuukkkk");
}

TEST(RunHistory, FollowsATaskSetThatChanges) {
  RunHistory history;
  SimulatedRuns runs{history};
  EXPECT_EQ(runs.run({1, 1.6, 1.6}, 60), Policy::kPersistentThreads);
  EXPECT_NE(runs.run({8, 1.6, 1.6}, 60), Policy::kPersistentThreads);
}

// The second policy takes little time for itself, and the third much. The work of the tasks grows
// until it hides that, again and again.
TEST(RunHistory, TasksThatGrowLongerDoNotFavourWhatWasMeasuredBefore) {
  constexpr std::array<double, 3> kOwn{2e-3, 1e-3, 3e-3};
  constexpr int kSizes = 16;
  constexpr int kRoundsToLearn = 1;
  RunHistory history;
  SimulatedRuns runs{history};
  for (int round = 0; round < 4; ++round) {
    for (int size = 0; size < kSizes; ++size) {
      const double work = 1e-5 * (1 << size);  // Up to 300 ms.
      std::array<double, 3> seconds = kOwn;
      for (double& own : seconds) own += work;
      const std::array<int, 3> before = runs.counts;
      const Policy best = runs.run(seconds, 2);
      const bool is_small = work < 1e-3;
      // Tasks of a new round are much shorter than the last ones, which takes a while to learn.
      const bool is_learned = round >= kRoundsToLearn && size >= 5;
      if (!is_small || !is_learned || best == Policy::kAuto) continue;
      EXPECT_EQ(best, Policy::kUberkernel) << "round " << round << ", work " << work;
      EXPECT_EQ(runs.counts[2], before[2]) << "round " << round << ", work " << work;
    }
  }
}

TEST(RunHistory, TimesOfLongerTasksAreForgotten) {
  RunHistory history;
  SimulatedRuns runs{history};
  ASSERT_EQ(runs.run({1e-5, 1.5e-5, 1.5e-5}, 24), Policy::kPersistentThreads);
  ASSERT_EQ(runs.counts[1], 4);
  ASSERT_EQ(runs.counts[2], 4);
  // The others took less time for the shorter tasks.
  EXPECT_EQ(runs.run({1e-3, 1.2e-3, 1.2e-3}, 4), Policy::kPersistentThreads);
  EXPECT_EQ(runs.counts[1] + runs.counts[2], 8);
  EXPECT_EQ(runs.run({1e-3, 1.2e-3, 1.2e-3}, 40), Policy::kPersistentThreads);
  EXPECT_EQ(runs.counts[1], 8);
  EXPECT_EQ(runs.counts[2], 8);
}

TEST(RunHistory, SomeDisturbedRunsAreNotOfOtherWork) {
  RunHistory history;
  SimulatedRuns runs{history};
  ASSERT_EQ(runs.run({1e-5, 2e-5, 2e-5}, 24), Policy::kPersistentThreads);
  const std::array<int, 3> before = runs.counts;
  for (int i = 0; i < 10; ++i) {
    runs.run({1e-3, 2e-5, 2e-5}, 2);
    runs.run({1e-5, 2e-5, 2e-5}, 2);
  }
  EXPECT_LE(runs.counts[1] - before[1], 4);
}

TEST(RunHistory, RunsOfAnotherLengthAreAnotherMatter) {
  RunHistory history;
  SimulatedRuns runs{history};
  EXPECT_EQ(runs.run({1, 1.5, 1.5}, 60), Policy::kPersistentThreads);
  runs.tasks = 100'000;
  EXPECT_EQ(runs.run({150, 100, 150}, 60), Policy::kUberkernel);
  runs.tasks = 1000;
  runs.run({1, 1.5, 1.5}, 1);  // The first of them is not expected.
  EXPECT_EQ(runs.run({1, 1.5, 1.5}, 20), Policy::kPersistentThreads);
}

TEST(RunHistory, KindsOfRunsAreSeparate) {
  RunHistory history;
  SimulatedRuns runs{history};
  EXPECT_EQ(runs.run({1, 1.5, 1.5}, 60), Policy::kPersistentThreads);
  WorkKey other = kKey;
  other.device = "other";
  EXPECT_FALSE(history.choose(other, kKnown, even_costs()).is_known);
  other = kKey;
  other.size_class = 5;
  EXPECT_FALSE(history.choose(other, kKnown, even_costs()).is_known);
  EXPECT_TRUE(history.choose(kKey, kKnown, even_costs()).is_known);
  history.forget();
  EXPECT_FALSE(history.choose(kKey, kKnown, even_costs()).is_known);
}

RunReport report_of_types(Policy policy, std::vector<std::uint64_t> tasks_by_type) {
  return {.policy = policy, .tasks_by_type = std::move(tasks_by_type)};
}

TEST(RunHistory, LearnsHowTypesAreMixed) {
  RunHistory history;
  WorkFeatures known = kKnown;
  known.types = 2;
  EXPECT_FALSE(history.choose(kKey, known, even_costs()).work.gini_simpson.has_value());
  history.add(kKey, {}, report_of_types(Policy::kUberkernel, {950, 50}), 1);
  const auto learned = history.choose(kKey, known, even_costs()).work.gini_simpson;
  ASSERT_TRUE(learned.has_value());
  EXPECT_DOUBLE_EQ(*learned, 0.095);
  known.gini_simpson = 0.1;  // The index of this run is known.
  EXPECT_EQ(history.choose(kKey, known, even_costs()).work.gini_simpson, 0.1);
}

// The model chooses by the features of earlier runs of the same kind.
TEST(RunHistory, WhatItLearnedOfTheMixDecides) {
  DeviceCosts costs = even_costs();
  costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1e9;
  costs.of(Policy::kUberkernel)[kCostOfMix] = 8e-3;
  costs.of(Policy::kKernelPerType)[kCostOfType] = 3e-3;
  WorkFeatures known{.roots = 1000, .types = 2, .spawns = false};
  RunHistory history;
  EXPECT_EQ(history.choose(kKey, known, costs).policy, Policy::kKernelPerType);
  history.add_switched(kKey, report_of_types(Policy::kPersistentThreads, {1000, 0}),
                       Policy::kPersistentThreads, 0);
  EXPECT_EQ(history.choose(kKey, known, costs).policy, Policy::kUberkernel);
  history.add_switched(kKey, report_of_types(Policy::kPersistentThreads, {500, 500}),
                       Policy::kPersistentThreads, 0);
  EXPECT_EQ(history.choose(kKey, known, costs).policy, Policy::kKernelPerType);
}

TEST(RunHistory, MixesHaveFourClasses) {
  EXPECT_EQ(mix_class_of(std::nullopt), MixClass::kUnknown);
  EXPECT_EQ(mix_class_of(0), MixClass::kOneType);
  EXPECT_EQ(mix_class_of(2 * 0.99 * 0.01), MixClass::kOneType);
  EXPECT_EQ(mix_class_of(2 * 0.95 * 0.05), MixClass::kSkewed);
  EXPECT_EQ(mix_class_of(2 * 0.75 * 0.25), MixClass::kMixed);
  EXPECT_EQ(mix_class_of(0.75), MixClass::kMixed);
}

TEST(RunHistory, RunsOfAnotherMixAreAnotherMatter) {
  RunHistory history;
  WorkKey mixed = kKey;
  mixed.mix_class = MixClass::kMixed;
  WorkKey same = kKey;
  same.mix_class = MixClass::kOneType;
  history.add(mixed, {}, report_of_types(Policy::kUberkernel, {500, 500}), 1);
  EXPECT_TRUE(history.choose(mixed, kKnown, even_costs()).is_known);
  EXPECT_FALSE(history.choose(same, kKnown, even_costs()).is_known);
}

// If the mix is unknown before a run, that of the last run is expected; times of different mixes
// are stored separately.
TEST(RunHistory, TimesOfAnotherMixAreKeptSeparately) {
  RunHistory history;
  const auto seconds_of = [&](std::vector<std::uint64_t> tasks, double seconds) {
    history.add(kKey, {}, report_of_types(Policy::kUberkernel, std::move(tasks)), seconds);
    return history.choose(kKey, kKnown, even_costs()).seconds;
  };
  EXPECT_DOUBLE_EQ(seconds_of({1000, 0}, 1), 1);
  EXPECT_DOUBLE_EQ(seconds_of({500, 500}, 5), 5);
  EXPECT_DOUBLE_EQ(seconds_of({0, 1000}, 2), 1);
}

TEST(RunHistory, ACachedKindIsOfItsMixToo) {
  RunHistory history;
  RunHistory::CachedKind cached;
  WorkKey mixed = kKey;
  mixed.mix_class = MixClass::kMixed;
  history.add(mixed, {}, report_of_types(Policy::kUberkernel, {500, 500}), 1, &cached);
  EXPECT_TRUE(history.choose(mixed, kKnown, even_costs(), &cached).is_known);
  EXPECT_FALSE(history.choose(kKey, kKnown, even_costs(), &cached).is_known);
  EXPECT_TRUE(history.choose(mixed, kKnown, even_costs(), &cached).is_known);
}

TEST(RunHistory, ACachedKindIsValidAsLongAsTheKind) {
  RunHistory history;
  RunHistory::CachedKind cached;
  const auto is_known = [&](const WorkKey& key) {
    return history.choose(key, kKnown, even_costs(), &cached).is_known;
  };
  const auto add = [&](const WorkKey& key) {
    history.add(key, {}, report_of(Policy::kUberkernel, 1000), 1, &cached);
  };
  WorkKey other = kKey;
  other.size_class = 5;
  EXPECT_FALSE(is_known(kKey));
  add(kKey);
  EXPECT_TRUE(is_known(kKey));
  EXPECT_FALSE(is_known(other));
  EXPECT_TRUE(is_known(kKey));
  history.forget();
  EXPECT_FALSE(is_known(kKey));
  for (std::size_t i = 0; i < RunHistory::kMostKinds; ++i) {
    WorkKey key = kKey;
    key.size_class = static_cast<int>(6 + i);
    add(key);
  }
  WorkKey first = kKey;
  first.size_class = 6;
  EXPECT_TRUE(is_known(first));
  add(other);
  EXPECT_TRUE(is_known(other));
  EXPECT_FALSE(is_known(first));
}

TEST(RunHistory, APolicyThatWasLeftIsNotBegunWithAgain) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kUberkernel)[kCostOfRun] = 0.1;
  ASSERT_EQ(history.choose(kKey, kKnown, costs).policy, Policy::kUberkernel);
  history.add_switched(kKey, report_of(Policy::kPersistentThreads, 1000), Policy::kUberkernel, 100);
  const RunChoice choice = history.choose(kKey, kKnown, costs);
  EXPECT_EQ(choice.policy, Policy::kPersistentThreads);
  EXPECT_EQ(choice.work.waves, 100);
  EXPECT_EQ(choice.work.items, 1000);
}

TEST(RunHistory, APolicyThatWasLeftIsNotBegunWithThoughItRanBefore) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1.5;
  const RunChoice first{.policy = Policy::kUberkernel};
  history.add(kKey, first, report_of(Policy::kUberkernel, 1000), 1);
  history.add_switched(kKey, report_of(Policy::kPersistentThreads, 1000), Policy::kUberkernel, 100);
  EXPECT_NE(history.choose(kKey, kKnown, costs).policy, Policy::kUberkernel);
}

// Returns the number of the first run that begins under the uberkernel, if a run of another policy
// takes a second; at most 100.
int runs_before_return(RunHistory& history, const DeviceCosts& costs) {
  for (int i = 0; i < 100; ++i) {
    const RunChoice choice = history.choose(kKey, kKnown, costs);
    if (choice.policy == Policy::kUberkernel) return i;
    history.add(kKey, choice, report_of(choice.policy, 1000), 1);
  }
  return 100;
}

TEST(RunHistory, APolicyThatWasLeftIsTriedLater) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kUberkernel)[kCostOfRun] = 0.9;
  history.add_switched(kKey, report_of(Policy::kPersistentThreads, 1000), Policy::kUberkernel, 100);
  EXPECT_EQ(runs_before_return(history, costs), 8);
  for (int i = 0; i < 40; ++i) {
    const RunChoice choice = history.choose(kKey, kKnown, costs);
    const double seconds = choice.policy == Policy::kUberkernel ? 0.5 : 1;
    history.add(kKey, choice, report_of(choice.policy, 1000), seconds);
  }
  EXPECT_EQ(history.choose(kKey, kKnown, costs).policy, Policy::kUberkernel);
}

TEST(RunHistory, APolicyThatIsLeftAgainIsTriedMuchLater) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kUberkernel)[kCostOfRun] = 0.9;
  for (const int runs : {8, 16, 32}) {
    history.add_switched(kKey, report_of(Policy::kPersistentThreads, 1000), Policy::kUberkernel,
                         100);
    const int before = runs_before_return(history, costs);
    EXPECT_GE(before, runs);
    EXPECT_LE(before, 2 * runs);
  }
}

TEST(RunHistory, APolicyThatWasLeftAndTakenUpAgainMayBeBegunWith) {
  RunHistory history;
  DeviceCosts costs = even_costs();
  costs.of(Policy::kUberkernel)[kCostOfRun] = 0.1;
  history.add_switched(kKey, report_of(Policy::kUberkernel, 1000), Policy::kUberkernel, 100);
  EXPECT_EQ(history.choose(kKey, kKnown, costs).policy, Policy::kUberkernel);
}

TEST(RunHistory, KeepsABoundedNumberOfKinds) {
  RunHistory history;
  const DeviceCosts costs = even_costs();
  for (std::size_t i = 0; i < 3 * RunHistory::kMostKinds; ++i) {
    WorkKey key = kKey;
    key.size_class = static_cast<int>(i);
    history.add(key, {}, report_of(Policy::kUberkernel, 10), 1);
    EXPECT_TRUE(history.choose(key, kKnown, costs).is_known);
  }
  EXPECT_FALSE(history.choose(kKey, kKnown, costs).is_known);
}

}  // namespace
}  // namespace millrace

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/auto/policy_store.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <typeinfo>
#include <vector>

namespace millrace {
namespace {

constexpr auto kNever = std::chrono::nanoseconds::max();
constexpr double kMany = AutomaticRun::kMaxMoved + 1;

template <int kKind, bool kMaySpawn>
struct Item {
  static constexpr bool kSpawns = kMaySpawn;
  std::size_t index;
  template <class Context>
  void operator()(Context&) const {}
};
struct TwoTypeTasks : TaskSet<Item<0, false>, Item<1, false>> {
  struct Arguments {};
};
using OneTypeTasks = TaskSet<Item<0, false>>;
using SpawningTasks = TaskSet<Item<0, true>, Item<1, true>>;

class AutomaticRunTest : public testing::Test {
 protected:
  AutomaticRunTest() {
    device.name = "any:0";
    RunHistory::instance().forget();
  }
  ~AutomaticRunTest() override {
    use_costs(device, nullptr);
    RunHistory::instance().forget();
  }

  // Returns costs under which a run begins with `policy` and then changes it.
  void begin_with(Policy policy) {
    DeviceCosts costs;
    for (const Policy other : kConcretePolicies) costs.of(other)[kCostOfRun] = 1;
    costs.of(policy)[kCostOfRun] = 0.5;
    costs.of(policy)[kCostOfWork] = 0.01;
    use_costs(device, std::make_shared<const DeviceCosts>(costs));
  }

  AutomaticRun run_of(double roots) const {
    return AutomaticRun(device, /*workers=*/0, typeid(int), {.roots = roots});
  }

  DeviceInfo device;
};

TEST_F(AutomaticRunTest, IsSampledWhereItMaySpawn) {
  begin_with(Policy::kUberkernel);
  EXPECT_LT(run_of(10).sample_after(), kNever);
  EXPECT_LT(run_of(kMany).sample_after(), kNever);
  const WorkFeatures flat{.roots = 10, .spawns = false};
  EXPECT_EQ(AutomaticRun(device, 0, typeid(int), flat).sample_after(), kNever);
}

TEST_F(AutomaticRunTest, IsSampledEarlyOnAGpuWhileItsNumberOfWavesIsUnknown) {
  const auto soon = std::chrono::nanoseconds(50'000);
  const auto later = std::chrono::nanoseconds(1'000'000);
  begin_with(Policy::kUberkernel);
  EXPECT_EQ(run_of(10).sample_after(), later) << "on a CPU";
  device.warp_width = 32;
  EXPECT_EQ(run_of(10).sample_after(), soon);
  begin_with(Policy::kPersistentThreads);
  EXPECT_EQ(run_of(10).sample_after(), 8 * later) << "it would be stopped";

  // A run under persistent threads does not count waves.
  begin_with(Policy::kUberkernel);
  AutomaticRun first = run_of(10);
  RunReport report{.policy = Policy::kPersistentThreads, .tasks_by_type = {1000}};
  first.finish(report, 1);
  AutomaticRun second = run_of(10);
  ASSERT_EQ(second.policy(), Policy::kUberkernel) << "a trial";
  EXPECT_EQ(second.sample_after(), soon);
  report = {.policy = Policy::kUberkernel, .tasks_by_type = {1000}, .waves = 10};
  second.finish(report, 0.1);
  AutomaticRun third = run_of(10);
  ASSERT_EQ(third.policy(), Policy::kUberkernel);
  EXPECT_GE(third.sample_after(), later);
}

TEST_F(AutomaticRunTest, PersistentThreadsAreNotStoppedWhereTheHostWouldMoveTooMuch) {
  begin_with(Policy::kPersistentThreads);
  EXPECT_LT(run_of(10).sample_after(), kNever);
  EXPECT_EQ(run_of(kMany).sample_after(), kNever);
}

TEST_F(AutomaticRunTest, PersistentThreadsAreNotStoppedWithJoinsOnTheirStacks) {
  begin_with(Policy::kPersistentThreads);
  const WorkFeatures joins{.roots = 10, .opens_joins = true};
  EXPECT_EQ(AutomaticRun(device, 0, typeid(int), joins).sample_after(), kNever);
  begin_with(Policy::kUberkernel);
  EXPECT_LT(AutomaticRun(device, 0, typeid(int), joins).sample_after(), kNever);
}

TEST_F(AutomaticRunTest, ChangesOnlyBelowTheMaximumOfWaitingTasks) {
  for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
    begin_with(policy);
    RunSample sample{.seconds = 10, .tasks = 1000, .waves = 10, .pending = kMany};
    AutomaticRun run = run_of(10);
    ASSERT_EQ(run.policy(), policy);
    EXPECT_FALSE(run.changes_policy(sample));
    EXPECT_EQ(run.policy(), policy);
    // Another stop of persistent threads would move as many tasks.
    EXPECT_EQ(run.sample_after() == kNever, policy == Policy::kPersistentThreads);
    sample.pending = 100;
    EXPECT_TRUE(run.changes_policy(sample));
    EXPECT_NE(run.policy(), policy);
  }
}

TEST_F(AutomaticRunTest, TheMixOfAListIsKnownUnlessItSpawns) {
  const auto mix_of = [](const auto& roots) { return known_features(roots).gini_simpson; };
  const Item<0, false> first{0};
  const Item<1, false> second{0};
  EXPECT_EQ(mix_of(TaskList<TwoTypeTasks>(first, second, second, first)), 0.5);
  EXPECT_EQ(mix_of(TaskList<TwoTypeTasks>(second, second)), 0);
  EXPECT_EQ(mix_of(TaskList<TwoTypeTasks>()), 0);
  EXPECT_EQ(mix_of(TaskList<OneTypeTasks>(first)), std::nullopt);
  EXPECT_EQ(mix_of(TaskList<SpawningTasks>(Item<0, true>{0}, Item<1, true>{0})), std::nullopt);
}

TEST_F(AutomaticRunTest, TheMixOfIndexedTasksIsKnownWhereTheyHaveBeenCounted) {
  // The host must not read the tags, which are at an invalid address.
  const IndexedTasks<TwoTypeTasks> roots{.tags = reinterpret_cast<const TaskTag*>(16), .count = 4};
  EXPECT_EQ(known_features(roots).gini_simpson, std::nullopt);
  EXPECT_EQ(known_features(roots, 0.375).gini_simpson, 0.375);
}

TEST_F(AutomaticRunTest, ListsThatHaveBeenCountedAreNotSampled) {
  const TaskList<TwoTypeTasks> flat(Item<0, false>{0});
  EXPECT_EQ(known_features(flat, 0.375).gini_simpson, 0.375);
  const TaskList<SpawningTasks> spawning(Item<0, true>{0});
  EXPECT_EQ(known_features(spawning, 0.375).gini_simpson, std::nullopt);
}

// Waves are expensive on a mixed queue and cheap on a queue of one type.
class AutomaticRunOfTypesTest : public AutomaticRunTest {
 protected:
  AutomaticRunOfTypesTest() {
    DeviceCosts costs;
    costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1e9;
    costs.of(Policy::kUberkernel)[kCostOfMix] = 8;
    costs.of(Policy::kKernelPerType)[kCostOfType] = 3;
    use_costs(device, std::make_shared<const DeviceCosts>(costs));
  }

  AutomaticRun run_of_mix(const std::optional<double>& mix) const {
    return AutomaticRun(device, 0, typeid(int),
                        {.roots = 1000, .types = 2, .gini_simpson = mix, .spawns = false});
  }
};

TEST_F(AutomaticRunOfTypesTest, BeginsByTypeWhereTypesAreMixed) {
  EXPECT_EQ(run_of_mix(0.5).policy(), Policy::kKernelPerType);
  EXPECT_EQ(run_of_mix(0).policy(), Policy::kUberkernel);
  EXPECT_EQ(run_of_mix(std::nullopt).policy(), Policy::kKernelPerType);
}

TEST_F(AutomaticRunOfTypesTest, AMixThatIsNotKnownIsLearnedFromARun) {
  AutomaticRun first = run_of_mix(std::nullopt);
  ASSERT_EQ(first.policy(), Policy::kKernelPerType);
  RunReport report{.policy = first.policy(), .tasks_by_type = {1000, 0}};
  first.finish(report, 3000);
  // Another policy is tried then, which was not tried before.
  EXPECT_EQ(run_of_mix(std::nullopt).policy(), Policy::kUberkernel);
}

TEST_F(AutomaticRunOfTypesTest, RunsOfKnownMixesAreSeparate) {
  AutomaticRun mixed = run_of_mix(0.5);
  RunReport report{.policy = mixed.policy(), .tasks_by_type = {500, 500}};
  mixed.finish(report, 3000);
  EXPECT_EQ(run_of_mix(0.5).policy(), Policy::kKernelPerType);
  EXPECT_EQ(run_of_mix(0).policy(), Policy::kUberkernel);
}

TEST_F(AutomaticRunTest, LeavesWavesThatOpenTooManyJoins) {
  begin_with(Policy::kUberkernel);
  AutomaticRun run = run_of(10);
  EXPECT_TRUE(run.leaves_waves());
  EXPECT_EQ(run.policy(), Policy::kPersistentThreads);
  EXPECT_FALSE(run.leaves_waves());
  EXPECT_EQ(run.sample_after(), std::chrono::nanoseconds::max());
  RunReport report{.policy = Policy::kPersistentThreads, .tasks_by_type = {1000}};
  run.finish(report, 10);
  EXPECT_EQ(report.switches, 1u);
  EXPECT_EQ(run_of(10).policy(), Policy::kPersistentThreads);
}

TEST_F(AutomaticRunTest, CountsAChangeOnlyWhereTheRunWentOn) {
  const RunSample sample{.seconds = 10, .tasks = 1000, .waves = 10, .pending = 100};
  for (const Policy last : {Policy::kUberkernel, Policy::kPersistentThreads}) {
    RunHistory::instance().forget();
    begin_with(Policy::kUberkernel);
    AutomaticRun run = run_of(10);
    ASSERT_TRUE(run.changes_policy(sample));
    RunReport report{.policy = last, .tasks_by_type = {1000}};
    run.finish(report, sample.seconds);
    EXPECT_EQ(report.switches, last == Policy::kUberkernel ? 0u : 1u);
  }
}

}  // namespace
}  // namespace millrace

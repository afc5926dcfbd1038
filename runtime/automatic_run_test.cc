#include <millrace/runtime/automatic_run.h>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <typeinfo>

#include <millrace/runtime/policy_store.h>

namespace millrace {
namespace {

constexpr auto kNever = std::chrono::nanoseconds::max();
constexpr double kMany = AutomaticRun::kMostMoved + 1;

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

  // Under which a run begins with `policy`, and is found to be wrong there.
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

TEST_F(AutomaticRunTest, IsLookedAtWhereItMaySpawn) {
  begin_with(Policy::kUberkernel);
  EXPECT_LT(run_of(10).look_after(), kNever);
  EXPECT_LT(run_of(kMany).look_after(), kNever);
  const WorkFeatures flat{.roots = 10, .spawns = false};
  EXPECT_EQ(AutomaticRun(device, 0, typeid(int), flat).look_after(), kNever);
}

TEST_F(AutomaticRunTest, PersistentThreadsAreNotStoppedWhereTheHostWouldMoveTooMuch) {
  begin_with(Policy::kPersistentThreads);
  EXPECT_LT(run_of(10).look_after(), kNever);
  EXPECT_EQ(run_of(kMany).look_after(), kNever);
}

TEST_F(AutomaticRunTest, ChangesOnlyWhereFewTasksWait) {
  for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
    begin_with(policy);
    RunSight sight{.seconds = 10, .tasks = 1000, .waves = 10, .pending = kMany};
    AutomaticRun run = run_of(10);
    ASSERT_EQ(run.policy(), policy);
    EXPECT_FALSE(run.changes_policy(sight));
    EXPECT_EQ(run.policy(), policy);
    // Stopping persistent threads once more would move as much.
    EXPECT_EQ(run.look_after() == kNever, policy == Policy::kPersistentThreads);
    sight.pending = 100;
    EXPECT_TRUE(run.changes_policy(sight));
    EXPECT_NE(run.policy(), policy);
  }
}

TEST_F(AutomaticRunTest, CountsAChangeOnlyWhereTheRunWentOn) {
  const RunSight sight{.seconds = 10, .tasks = 1000, .waves = 10, .pending = 100};
  for (const Policy last : {Policy::kUberkernel, Policy::kPersistentThreads}) {
    RunHistory::instance().forget();
    begin_with(Policy::kUberkernel);
    AutomaticRun run = run_of(10);
    ASSERT_TRUE(run.changes_policy(sight));
    RunReport report{.policy = last, .tasks_by_type = {1000}};
    run.finish(report, sight.seconds);
    EXPECT_EQ(report.switches, last == Policy::kUberkernel ? 0u : 1u);
  }
}

}  // namespace
}  // namespace millrace

// SPDX-License-Identifier: Apache-2.0

// Tasks that must travel between the devices of a group: their run cannot end, and is not stopped,
// before some have begun on another device than the one that has the root.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/testing/manual_clock.h>
#include <millrace/tests/conformance/groups.h>
#include <millrace/tests/conformance/shared/leaf_roles.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

constexpr Policy kPolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                Policy::kKernelPerType, Policy::kAuto};
constexpr std::uint32_t kDepth = 6;
constexpr std::uint32_t kCalls = 11;
constexpr std::uint32_t kLeaves = 200;

// A root with four children, whose tree has 352 nodes, 221 of them leaves.
constexpr SharedNode kRoot{.state = std::uint64_t{4} << 40, .depth = kDepth, .fails = 0};

ExchangeCounts sum_of(const SharedRunReport& report) {
  ExchangeCounts sum;
  for (const SharedDeviceReport& device : report.devices) {
    sum.segments += device.exchanged.segments;
    sum.tasks_given += device.exchanged.tasks_given;
    sum.tasks_taken += device.exchanged.tasks_taken;
    sum.arrivals_sent += device.exchanged.arrivals_sent;
  }
  return sum;
}

void expect_several_at_work(const SharedRunReport& report) {
  const auto has_run = [](const SharedDeviceReport& device) {
    return device.run.tasks() > 0 && device.exchanged.tasks_taken > 0;
  };
  EXPECT_GE(std::ranges::count_if(report.devices, has_run), 2);
}

// Returns more leaves than kSharingThreshold, so each device begins with some of them.
std::vector<SharedNode> leaves_for_all() {
  std::vector<SharedNode> leaves;
  for (std::uint64_t i = 0; i < kSharingThreshold + 100; ++i) leaves.push_back({i, 0, 0});
  return leaves;
}

class TravelTest : public GroupTest {
 protected:
  // Other mixes of the group's devices: the first alone, the last alone, and all in reverse order.
  std::vector<DeviceGroup> other_mixes() const {
    auto devices = group.devices();
    std::vector<DeviceGroup> mixes;
    mixes.emplace_back(std::vector{devices.front()});
    mixes.emplace_back(std::vector{devices.back()});
    std::ranges::reverse(devices);
    mixes.emplace_back(devices);
    return mixes;
  }

  // Runs tasks whose leaves wait for ever, and stops the run once some have begun on two devices:
  // by a request, or by a deadline. Returns what is left.
  template <class Set>
  UnfinishedRun<Set> stopped(AllSums& sums, const TaskList<Set>& roots, Policy policy,
                             bool by_deadline) {
    const ManualClock clock;
    LeafRoles roles(group, LeafRole::kWaits);
    std::stop_source stop;
    RunOptions options{.policy = policy, .keep_unfinished = true};
    if (by_deadline) {
      options.deadline = ManualClock::kFar;
    } else {
      options.stop = stop.get_token();
    }
    const OnceLeavesHaveBegun watcher(roles, 2, [&stop, by_deadline] {
      if (by_deadline) return ManualClock::advance(ManualClock::kFar);
      stop.request_stop();
    });
    try {
      run_tasks(group, roles.give_to(sums.tasks(roots)), options);
    } catch (const UnfinishedRun<Set>& run) {
      return run;
    }
    throw Error(ErrorCode::kInternal, "the run has ended although its leaves wait");
  }
};

TEST_P(TravelTest, TheTreeOfOneRootIsShared) {
  const Totals expected = shared_totals({kRoot});
  for (const Policy policy : kPolicies) {
    LeafRoles roles(group, LeafRole::kNeedsAnother);
    AllSums sums;
    const auto report =
        run_tasks(group, roles.give_to(sums.tasks(list_of({kRoot}))), {.policy = policy});
    EXPECT_EQ(sums.totals(), expected) << to_string(policy);
    expect_several_at_work(report);
    // The tasks taken are the root and those that have been given.
    const ExchangeCounts sum = sum_of(report);
    EXPECT_GT(sum.tasks_given, 0u) << to_string(policy);
    EXPECT_EQ(sum.tasks_taken, 1 + sum.tasks_given) << to_string(policy);
  }
}

TEST_P(TravelTest, LeavesOnOtherDevicesSendTheirArrivals) {
  for (const Policy policy : kPolicies) {
    LeafRoles roles(group, LeafRole::kNeedsAnother);
    AllSums sums;
    const TaskList<SharedGatherTasks> root(SharedGather{kLeaves});
    const auto report = run_tasks(group, roles.give_to(sums.tasks(root)), {.policy = policy});
    EXPECT_EQ(sums.totals()[0], kLeaves) << to_string(policy);
    EXPECT_EQ(sums.totals()[1], kLeaves) << to_string(policy);
    expect_several_at_work(report);
    // The join is of the first segment, and at least one leaf ran on another device.
    const ExchangeCounts sum = sum_of(report);
    EXPECT_GE(sum.arrivals_sent, 1u) << to_string(policy);
    EXPECT_LE(sum.arrivals_sent, kLeaves) << to_string(policy);
  }
}

TEST_P(TravelTest, CallsReturnTheirValuesFromOtherDevices) {
  for (const Policy policy : kPolicies) {
    LeafRoles roles(group, LeafRole::kNeedsAnother);
    AllSums sums;
    const TaskList<SharedCallTasks> root(SharedStart{kCalls, 0});
    const auto report = run_tasks(group, roles.give_to(sums.tasks(root)), {.policy = policy});
    EXPECT_EQ(sums.totals()[0], fibonacci(kCalls)) << to_string(policy);
    expect_several_at_work(report);
  }
}

TEST_P(TravelTest, ATreeStoppedInItsWorkGoesOnOnAnotherMix) {
  const Totals expected = shared_totals({kRoot});
  const std::vector<DeviceGroup> others = other_mixes();
  std::size_t runs = 0;
  for (const Policy policy : kPolicies) {
    for (const bool by_deadline : {false, true}) {
      AllSums sums;
      const auto run = stopped(sums, list_of({kRoot}), policy, by_deadline);
      EXPECT_TRUE(std::string_view(run.what())
                      .starts_with(by_deadline ? kStoppedByDeadline : kStoppedByRequest))
          << run.what();
      EXPECT_GE(run.tasks_run(), 2u);
      EXPECT_GT(sums.totals()[0], 0u);  // Nodes that are no leaves.
      EXPECT_LT(sums.totals()[0], expected[0]);
      const DeviceGroup& other = others[runs++ % others.size()];
      run_tasks(other, sums.tasks(run.remaining()), {.policy = policy});
      EXPECT_EQ(sums.totals(), expected) << to_string(policy) << " on " << other.name();
    }
  }
}

TEST_P(TravelTest, CallsStoppedInTheirJoinsGoOnOnAnotherMix) {
  const std::vector<DeviceGroup> others = other_mixes();
  std::size_t runs = 0;
  for (const Policy policy : kPolicies) {
    AllSums sums;
    const TaskList<SharedCallTasks> root(SharedStart{kCalls, 0});
    const auto run = stopped(sums, root, policy, /*by_deadline=*/false);
    EXPECT_FALSE(run.remaining().joins().empty());
    EXPECT_EQ(sums.totals()[1], 0u);  // There is no answer.
    const DeviceGroup& other = others[runs++ % others.size()];
    run_tasks(other, sums.tasks(run.remaining()), {.policy = policy});
    EXPECT_EQ(sums.totals()[0], fibonacci(kCalls)) << to_string(policy) << " on " << other.name();
    EXPECT_EQ(sums.totals()[1], 1u);
  }
}

// Leaves fail on one device and wait on the others, so the run ends only once some have begun
// there.
TEST_P(TravelTest, TheDeviceThatFailsIsNamedAndTheRestIsHandedBack) {
  const std::vector<SharedNode> leaves = leaves_for_all();
  const Totals expected = shared_totals(leaves);
  for (const Policy policy : kPolicies) {
    for (std::size_t bad = 0; bad < group.size(); ++bad) {
      const std::string name = group.device(bad)->info().name;
      LeafRoles roles(group, LeafRole::kWaits);
      roles.set(bad, LeafRole::kFails);
      AllSums sums;
      TaskList<SharedTreeTasks> rest;
      try {
        run_tasks(group, roles.give_to(sums.tasks(list_of(leaves))),
                  {.policy = policy, .keep_unfinished = true});
        ADD_FAILURE() << "no error";
      } catch (const FailedRun<SharedTreeTasks>& failed) {
        EXPECT_EQ(failed.detail(), kLeafFailure) << failed.what();
        EXPECT_TRUE(std::string_view(failed.what()).starts_with(name + ": ")) << failed.what();
        EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
        rest = failed.remaining();
      }
      EXPECT_FALSE(rest.empty());
      EXPECT_LT(sums.totals()[0], expected[0]);
      run_tasks(group, sums.tasks(std::move(rest)), {.policy = policy});
      EXPECT_EQ(sums.totals(), expected) << to_string(policy) << ", " << name << " failed";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, TravelTest, testing::ValuesIn(group_names_in_reach()),
                         name_of_group);

}  // namespace
}  // namespace millrace::conformance

// SPDX-License-Identifier: Apache-2.0

// A run that was stopped on the CPU's threads goes on on the null backend.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/testing/counted_clock.h>
#include <millrace/tests/conformance/tasks/gate_tasks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

class TakeoverTest : public testing::TestWithParam<Policy> {
 protected:
  static constexpr std::uint32_t kDrops = 1000;  // Half of them wait at the gate.

  TaskList<GatedFanInTasks> roots() {
    TaskList<GatedFanInTasks> list;
    for (std::uint32_t i = 0; i < kDrops; ++i) {
      list.push(GatedPredecessor{&gate, values.data(), &missing, &result, i, kDrops});
    }
    return list;
  }

  // Runs the tasks, which cannot all run while the gate is closed, until some have arrived. Returns
  // those that are left.
  TaskList<GatedFanInTasks> stop_in_the_middle(Queue& queue) {
    TaskList<GatedFanInTasks> rest = roots();
    for (std::chrono::nanoseconds deadline = 100us; missing == kDrops; deadline += deadline / 4) {
      try {
        run_tasks(queue, rest,
                  {.policy = GetParam(), .deadline = deadline, .keep_unfinished = true});
        ADD_FAILURE() << "the run has ended although its gate is closed";
        return rest;
      } catch (const UnfinishedRun<GatedFanInTasks>& stopped) {
        rest = stopped.remaining();
      }
    }
    return rest;
  }

  const CountedClock run_clock;
  Gate gate = Gate::kClosed;
  std::vector<std::uint64_t> values = std::vector<std::uint64_t>(kDrops);
  std::uint32_t missing = kDrops;
  std::uint64_t result = 0;
};

TEST_P(TakeoverTest, CountersThatHaveStoppedOnTbbGoOnOnNull) {
  const auto rest = stop_in_the_middle(*open_device("tbb")->make_queue());
  ASSERT_EQ(rest.size(), missing);
  ASSERT_GE(missing, kDrops / 2);
  gate = Gate::kOpen;
  const auto null = open_device("null:0")->make_queue();
  const RunReport report = run_tasks(*null, rest, {.policy = GetParam()});
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{rest.size(), 1}));
  EXPECT_EQ(missing, 0u);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < kDrops; ++i) sum += splitmix64(i);
  EXPECT_EQ(result, sum);
}

INSTANTIATE_TEST_SUITE_P(Policies, TakeoverTest,
                         testing::Values(Policy::kPersistentThreads, Policy::kUberkernel,
                                         Policy::kKernelPerType, Policy::kAuto),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace millrace::conformance

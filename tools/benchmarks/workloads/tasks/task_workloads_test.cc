// SPDX-License-Identifier: Apache-2.0

// Workloads of tasks on every input and device, small, and what is particular to one. Every run in
// them checks itself, so a task that is lost or run twice throws.
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/workloads/queues/waiting_stress_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/deadline_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/sum_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/task_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/tree_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/waiting_stress.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using conformance::device_names;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TaskWorkloadsTest : public testing::TestWithParam<std::string> {
 protected:
  static std::uint64_t small_size(const Workload& workload) {
    DeviceInfo simulated;
    simulated.is_simulated = true;
    return workload.sizes(simulated, false).front();
  }

  PreparedWork prepare(const Workload& workload, const std::string& input) const {
    return workload.prepare(device_, input, small_size(workload));
  }

  const std::shared_ptr<Device> device_ = open_device(GetParam());
};

TEST_P(TaskWorkloadsTest, TreesAreRightForAllTaskSizesAndWidths) {
  for (const Workload& workload : tree_workloads()) {
    for (const std::string& input : workload.inputs) {
      for (const WorkRun& run : prepare(workload, input).runs) {
        EXPECT_GT(run.check().items, 10) << workload.name << input;
      }
    }
  }
}

TEST_P(TaskWorkloadsTest, AFarDeadlineStopsNoRun) {
  const Workload workload = deadline_workloads().front();
  for (const std::string& input : workload.inputs) {
    std::map<std::string, std::set<double>> tasks;
    for (const WorkRun& run : prepare(workload, input).runs) {
      tasks[run.strategy].insert(run.check().items);
    }
    ASSERT_EQ(tasks.size(), workload.strategies.size()) << input;
    EXPECT_EQ(tasks[workload.strategies[0]], tasks[workload.strategies[1]]);
    EXPECT_EQ(tasks[workload.strategies[0]].size(), 1U);
  }
}

TEST_P(TaskWorkloadsTest, SumsHaveAPeerOnTheCpuAlone) {
  std::vector<std::string> peers;
  for (const Workload& workload : sum_workloads()) {
    for (const WorkRun& run : prepare(workload, "").runs) {
      if (run.peer.empty()) continue;
      peers.push_back(run.peer);
      EXPECT_GT(run.run(), 0);
    }
  }
  if (device_->info().shares_host_memory) {
    EXPECT_THAT(peers, ElementsAre("tbb::parallel_for", "tbb::task_group", "tbb::task_group"));
  } else {
    EXPECT_THAT(peers, IsEmpty());
  }
}

TEST_P(TaskWorkloadsTest, StressCountsTheRunsOfASize) {
  const Workload workload = stress_workloads().front();
  const PreparedWork work = workload.prepare(device_, "seed-1000", 3);
  ASSERT_EQ(work.runs.size(), 1U);
  EXPECT_EQ(work.runs[0].check().items, 3);
  EXPECT_GT(work.runs[0].run(), 0);
}

// Runs each kind with each number of records for joins, stopped and not.
TEST_P(TaskWorkloadsTest, StressByJoinsAndCountersIsRight) {
  constexpr StressKind kWaiting[] = {StressKind::kPlain, StressKind::kJoins, StressKind::kCounters};
  std::set<std::size_t> join_capacities;
  std::set<std::pair<StressKind, bool>> kinds;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const StressShape shape = draw_stress_shape(seed, 200, kWaiting);
    join_capacities.insert(shape.join_capacity);
    kinds.insert({shape.kind, shape.first_deadline.count() > 0});
    const auto queue = device_->make_queue(
        {.task_memory_bytes = shape.task_memory_bytes, .join_capacity = shape.join_capacity});
    const auto result = run_waiting_stress(examples::ExampleDevices(*queue), shape);
    EXPECT_EQ(fault_of(shape, result.outcome), "") << to_text(shape);
  }
  EXPECT_THAT(join_capacities, ElementsAre(0, 1, 2, 64));
  EXPECT_EQ(kinds.size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(EachDevice, TaskWorkloadsTest, testing::ValuesIn(device_names()),
                         [](const auto& test) { return conformance::name_of(test); });

std::string error_of(StressRuns& runs) {
  try {
    runs.run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(StressWorkload, TakesSeedsAsInputs) {
  const Workload workload = stress_workloads().front();
  EXPECT_THAT(workload.inputs, ElementsAre("seed-1"));
  EXPECT_TRUE(workload.has_input("seed-1"));
  EXPECT_TRUE(workload.has_input("seed-18446744073709551615"));
  for (const char* const other :
       {"", "seed", "seed-", "seed-x", "seed--1", "seed-1 ", "17", "seed-18446744073709551616"}) {
    EXPECT_FALSE(workload.has_input(other)) << other;
  }
}

TEST(StressWorkload, AFailureSaysHowToRepeatIt) {
  const std::string text = stress_failure(draw_stress_shape(17, 300), "node 3 of 5 ran 2 times");
  EXPECT_THAT(text, HasSubstr("seed 17 ("));
  EXPECT_THAT(text, HasSubstr(": node 3 of 5 ran 2 times; --input seed-17 --size 1 "));
}

TEST(StressRuns, EndWithTheFirstSeedThatIsWrong) {
  std::vector<std::uint64_t> seeds;
  StressRuns runs(
      5, 10, [](std::uint64_t seed) { return draw_stress_shape(seed, 10, kSharedStressKinds); },
      [&](const StressShape& shape, double&) {
        seeds.push_back(shape.seed);
        if (seeds.size() == 3) throw Error(ErrorCode::kTaskFailed, "a task has failed");
        // All but the tasks of each type, which are not given here.
        return StressOutcome{std::vector<std::uint64_t>(shape.nodes(), 1), 0, {}, sums_of(shape)};
      });
  EXPECT_THAT(error_of(runs), HasSubstr("seed 5 ("));
  EXPECT_THAT(error_of(runs), HasSubstr("seed 6 ("));
  EXPECT_THAT(error_of(runs), HasSubstr(": a task has failed; --input seed-7 --size 1 "));
  EXPECT_THAT(seeds, ElementsAre(5, 6, 7));
}

StressOutcome right_outcome(const StressShape& shape) {
  StressOutcome outcome{std::vector<std::uint64_t>(shape.nodes(), 1), 0, {}, {}};
  outcome.tasks_by_type.resize(WaitingStressTasks::kTypes);
  outcome.tasks_by_type[WaitingStressTasks::tag_of<SpawningNode>()] = shape.nodes();
  return outcome;
}

constexpr StressKind kPlainKind[] = {StressKind::kPlain};

TEST(StressRuns, AreTimedByAHundred) {
  std::uint64_t shapes = 0;
  StressRuns runs(
      1, 1000, [](std::uint64_t seed) { return draw_stress_shape(seed, 3, kPlainKind); },
      [&](const StressShape& shape, double& seconds) {
        ++shapes;
        seconds += 0.5;
        return right_outcome(shape);
      });
  EXPECT_EQ(runs.run(), 500);
  EXPECT_EQ(shapes, 1000);
  EXPECT_EQ(runs.run_some(), 500);
  EXPECT_EQ(shapes, 1100);
}

TEST(StressRuns, PollForASignalBetweenTwoRuns) {
  const InterruptGuard interrupt;
  std::uint64_t shapes = 0;
  StressRuns runs(
      1, 1000, [](std::uint64_t seed) { return draw_stress_shape(seed, 3, kPlainKind); },
      [&](const StressShape& shape, double&) {
        if (++shapes == 7) std::raise(SIGTERM);
        return right_outcome(shape);
      });
  try {
    runs.run();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(interrupt.caused(error)) << error.what();
  }
  EXPECT_EQ(shapes, 7);
}

}  // namespace
}  // namespace millrace::tools

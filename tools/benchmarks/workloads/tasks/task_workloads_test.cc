// SPDX-License-Identifier: Apache-2.0

// Workloads of tasks on every input and device, small, and what is particular to one. Every run in
// them checks itself, so a task that is lost or run twice throws.
#include <millrace/tools/benchmarks/workloads/tasks/task_workloads.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/workloads/tasks/deadline_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/sum_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/tree_workloads.h>

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

INSTANTIATE_TEST_SUITE_P(EachDevice, TaskWorkloadsTest, testing::ValuesIn(device_names()),
                         [](const auto& test) { return conformance::name_of(test); });

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

}  // namespace
}  // namespace millrace::tools

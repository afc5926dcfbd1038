// SPDX-License-Identifier: Apache-2.0

// Priorities of task types, under every policy.
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>
#include <millrace/tests/conformance/tasks/priority_tasks.h>

#include <vector>

namespace millrace::conformance {
namespace {

using PriorityTest = PolicyTest;

TEST(PriorityOrder, IsStable) {
  EXPECT_EQ(UrgentTasks::kByPriority, (std::array<TaskTag, 4>{2, 3, 0, 1}));
  EXPECT_TRUE(UrgentTasks::kHasPriorities);
  EXPECT_FALSE(NestTasks::kHasPriorities);
}

TEST_P(PriorityTest, TasksOfAllPrioritiesRun) {
  const auto roots = static_cast<std::uint32_t>(scaled(20'000, 500));
  DeviceArray<std::uint32_t> runs(*queue, 3);
  TaskList<UrgentTasks> list;
  for (std::uint32_t i = 0; i < roots; ++i) {
    list.push(UrgentRoot{nullptr, runs.data()});
    list.push(Urgent<0>{nullptr, runs.data()});
  }
  run_tasks(*queue, list, {.policy = policy});
  EXPECT_EQ(runs.read(), (std::vector<std::uint32_t>{2 * roots, roots, roots}));
}

INSTANTIATE_TEST_SUITE_P(Conformance, PriorityTest, each_policy(),
                         [](const auto& info) { return name_of(info); });

// One worker of a CPU runs what it has in order of priority. So does a worker of a GPU, which its
// own tests show (stack_priority_test, wave_worker_test).
using OneWorkerPriorityTest = PolicyTest;

TEST_P(OneWorkerPriorityTest, TheHighestRunsFirst) {
  if (device->info().warp_width > 1) GTEST_SKIP() << "lanes run side by side";
  if (device->info().backend == "null") GTEST_SKIP() << "null runs every policy as waves";
  const auto one = device->make_queue({.concurrency = 1});
  DeviceArray<std::uint32_t> log(*one, 16);
  DeviceArray<std::uint32_t> runs(*one, 3);
  TaskList<UrgentTasks> roots;
  roots.push(Urgent<0>{log.data(), runs.data()});
  roots.push(Urgent<2>{log.data(), runs.data()});
  roots.push(UrgentRoot{log.data(), runs.data()});
  roots.push(Urgent<1>{log.data(), runs.data()});
  run_tasks(*one, roots, {.policy = policy});
  std::vector<std::uint32_t> found = log.read();
  found.resize(1 + found[0]);
  // The root's tasks come with the others, or in the next wave.
  EXPECT_EQ(found, policy == Policy::kPersistentThreads
                       ? (std::vector<std::uint32_t>{6, 2, 2, 1, 1, 0, 0})
                       : (std::vector<std::uint32_t>{6, 2, 1, 0, 2, 1, 0}));
}

INSTANTIATE_TEST_SUITE_P(Conformance, OneWorkerPriorityTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

// With a kernel for each type, all tasks of a higher priority of a wave have run before those of a
// lower one begin.
using PriorityWaveTest = ConformanceTest;

TEST_P(PriorityWaveTest, AKernelForEachTypeRunsTheHighestFirst) {
  const auto each = static_cast<std::uint32_t>(scaled(1'000, 100));
  DeviceArray<std::uint32_t> runs(*queue, std::size_t{Ranks::kLevels} * each);
  DeviceArray<std::uint32_t> early(*queue, Ranks::kLevels);
  const Ranks ranks{each, runs.data(), early.data()};
  TaskList<RankedTasks> roots;
  for (std::uint32_t i = 0; i < each; ++i) {
    roots.push(Ranked<0>{ranks, i, 1});
    roots.push(Ranked<1>{ranks, i, 1});
    roots.push(Ranked<2>{ranks, i, 1});
  }
  const RunReport report = run_tasks(*queue, roots, {.policy = Policy::kKernelPerType});
  EXPECT_EQ(report.tasks(), std::uint64_t{Ranks::kLevels} * Ranks::kWaves * each);
  EXPECT_EQ(early.read(), std::vector<std::uint32_t>(Ranks::kLevels, 0));
  EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(Ranks::kLevels * each, Ranks::kWaves));
}

INSTANTIATE_TEST_SUITE_P(Conformance, PriorityWaveTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

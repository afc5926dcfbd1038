// SPDX-License-Identifier: Apache-2.0

// Queues with next to no memory for tasks: where it runs out, tasks go to the host's, and where
// that has an end too, the run stops and hands back what is left.
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>
#include <millrace/tests/conformance/tasks/stop_tasks.h>

#include <chrono>

namespace millrace::conformance {
namespace {

class SpillTest : public PolicyTest {
 protected:
  static constexpr std::size_t kTaskMemory = 64 * 1024;

  std::unique_ptr<Queue> small_queue = device->make_queue({.task_memory_bytes = kTaskMemory});
};

TEST_P(SpillTest, AFanOutWiderThanTheTaskMemoryIsRunWhole) {
  const std::uint64_t width = scaled(200'000, 20'000);
  ASSERT_GT(width * sizeof(FanOutChild), 2 * kTaskMemory);
  for (const bool is_opened_at_once : {false, true}) {
    DeviceArray<std::uint64_t> sum(*small_queue, 1);
    const FanOut fan_out{sum.data(), width, is_opened_at_once};
    const RunReport report =
        run_tasks(*small_queue, TaskList<FanOutTasks>(fan_out), {.policy = policy});
    EXPECT_EQ(sum.read()[0], width * (width - 1) / 2);
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, width}));
  }
}

TEST_P(SpillTest, ATreeLargerThanTheTaskMemoryIsRunOnce) {
  const std::uint64_t items = scaled(500'000, 12'000);
  ASSERT_GT(items * sizeof(CountedNode), 2 * kTaskMemory);
  for (int round = 0; round < 2; ++round) {
    DeviceArray<std::uint32_t> runs(*small_queue, items);
    const TaskList<CountedTasks> roots(CountedNode{{runs.data(), items}, 0});
    const RunReport report = run_tasks(*small_queue, roots, {.policy = policy});
    EXPECT_EQ(report.tasks(), items);
    EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
  }
}

TEST_P(SpillTest, AListLongerThanTheTaskMemoryIsRunOnce) {
  const std::uint64_t items = scaled(100'000, 4'000);
  DeviceArray<std::uint32_t> counts(*small_queue, items);
  DeviceArray<std::uint64_t> damaged(*small_queue, 1);
  TaskList<MarkTasks> roots;
  for (std::uint64_t i = 0; i < items; ++i) {
    roots.push(SmallMark::make(counts.data(), damaged.data(), i));
  }
  run_tasks(*small_queue, roots, {.policy = policy});
  EXPECT_EQ(counts.read(), std::vector<std::uint32_t>(items, 1));
  EXPECT_EQ(damaged.read()[0], 0u);
}

TEST_P(SpillTest, AFlatListOfTwoTypesIsRunOnce) {
  const std::uint64_t items = scaled(300'000, 10'000);
  DeviceArray<std::uint32_t> runs(*small_queue, items);
  TaskList<CountedFlatTasks> roots;
  for (std::uint64_t i = 0; i < items; ++i) {
    if (i % 3 == 0)
      roots.push(FlatItem<4>{runs.data() + i, {}});
    else
      roots.push(FlatItem<1>{runs.data() + i, {}});
  }
  const RunReport report = run_tasks(*small_queue, roots, {.policy = policy});
  EXPECT_EQ(report.tasks(), items);
  EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
}

// Also where tasks had already gone to the host's memory.
TEST_P(SpillTest, ADeadlineHandsNothingBackThatWasNotRequested) {
  const std::uint64_t items = scaled(3'000'000, 300'000);
  DeviceArray<std::uint32_t> runs(*small_queue, items);
  const TaskList<CountedTasks> roots(CountedNode{{runs.data(), items}, 0});
  try {
    run_tasks(*small_queue, roots, {.policy = policy, .deadline = std::chrono::milliseconds(3)});
  } catch (const RunStopped& error) {
    EXPECT_EQ(dynamic_cast<const UnfinishedRun<CountedTasks>*>(&error), nullptr);
    EXPECT_LT(error.tasks_run(), items);
  }
}

// A device that does not need the host's memory runs everything at once.
TEST_P(SpillTest, WithNowhereToSpillToNothingIsLost) {
  const std::uint64_t items = scaled(500'000, 12'000);
  DeviceArray<std::uint32_t> runs(*small_queue, items);
  const TaskList<CountedTasks> roots(CountedNode{{runs.data(), items}, 0});
  std::uint64_t tasks = 0;
  try {
    tasks = run_tasks(*small_queue, roots, {.policy = policy, .spill_bytes = 4096}).tasks();
  } catch (const UnfinishedRun<CountedTasks>& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_EQ(error.tasks_left(), error.remaining().size());
    tasks =
        error.tasks_run() + run_tasks(*small_queue, error.remaining(), {.policy = policy}).tasks();
  }
  EXPECT_EQ(tasks, items);
  EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
}

INSTANTIATE_TEST_SUITE_P(Conformance, SpillTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

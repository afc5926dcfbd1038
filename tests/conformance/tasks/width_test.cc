// SPDX-License-Identifier: Apache-2.0

// Items on which several lanes work together, under every policy.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/width_tasks.h>

namespace millrace::conformance {
namespace {

class WidthTest : public PolicyTest {
 protected:
  // Each lane of `roots` items of one width spawns 1 to 3 tasks; returns how many lanes an item
  // has.
  template <TaskWidth width>
  std::uint64_t run_each_lane_spawns(std::uint64_t roots) {
    using Spawner = EachLaneSpawns<width>;
    const std::size_t most_spawned = 3 * most_lanes(width);
    DeviceArray<std::uint32_t> runs(*queue, most_spawned);
    DeviceArray<std::uint64_t> lanes(*queue, 1);
    TaskList<LaneTasks> list;
    for (std::uint64_t i = 0; i < roots; ++i) list.push(Spawner{runs.data(), lanes.data()});

    const RunReport report = run_tasks(*queue, list, {.policy = policy});

    const std::uint64_t lanes_of_item = lanes.read()[0] / roots;
    EXPECT_EQ(lanes.read()[0], lanes_of_item * roots);
    std::vector<std::uint32_t> expected(most_spawned);
    std::uint64_t spawned = 0;
    for (std::size_t i = 0; i < 3 * lanes_of_item; ++i) {
      expected[i] = i % 3 <= i / 3 % 3 ? static_cast<std::uint32_t>(roots) : 0;
      spawned += expected[i];
    }
    EXPECT_EQ(runs.read(), expected);
    EXPECT_EQ(report.tasks_by_type[LaneTasks::tag_of<Spawner>()], roots);
    EXPECT_EQ(report.tasks_by_type[LaneTasks::tag_of<SpawnedByLane>()], spawned);
    return lanes_of_item;
  }

  // Sums of items of so many lanes.
  template <TaskWidth width>
  void expect_sums_together(std::uint64_t lanes) {
    using Adder = AddsTogether<width>;
    const std::uint64_t items = scaled(5'000, 500);
    DeviceArray<std::uint64_t> sums(*queue, Adder::kSums);
    DeviceArray<std::uint64_t> lane_sums(*queue, Adder::kSums);
    std::vector<std::uint64_t> expected(Adder::kSums);
    std::vector<std::uint64_t> expected_of_lanes(Adder::kSums);
    TaskList<TogetherTasks> list;
    for (std::uint64_t i = 0; i < items; ++i) {
      list.push(Adder{sums.data(), lane_sums.data(), i});
      expected[i % Adder::kSums] += i;
      for (std::uint64_t lane = 0; lane < lanes; ++lane) {
        expected_of_lanes[i / 3 % Adder::kSums] += lane + 1;
        if (lane % 3 == 1) expected[0] += lane;
        expected_of_lanes[i % 2] += lane;
      }
    }
    run_tasks(*queue, list, {.policy = policy});
    EXPECT_EQ(sums.read(), expected);
    EXPECT_EQ(lane_sums.read(), expected_of_lanes);
  }

  template <TaskWidth width>
  void expect_failure_of_one_lane() {
    try {
      run_tasks(*queue, TaskList<LaneTasks>(EachLaneFails<width>{1000}), {.policy = policy});
      FAIL() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
      EXPECT_GE(error.detail(), 1000);
      EXPECT_LT(error.detail(), 1000 + most_lanes(width));
    }
  }
};

TEST_P(WidthTest, TasksOfAllWidthsSpawnEachOther) {
  for (const std::uint64_t items : {std::uint64_t{1}, std::uint64_t{40}, scaled(20'000, 600)}) {
    DeviceArray<std::uint32_t> runs(*queue, items);
    DeviceArray<std::uint64_t> wrong(*queue, 1);
    const WidthCounts counts{runs.data(), wrong.data(), items};
    const TaskList<WidthTasks> roots(WidthNode<TaskWidth::kWarp>{counts, 0});
    const RunReport report = run_tasks(*queue, roots, {.policy = policy});
    EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
    EXPECT_EQ(wrong.read()[0], 0u);
    EXPECT_EQ(report.tasks(), items);
  }
}

TEST_P(WidthTest, AQueueOfAllWidthsIsRunWhole) {
  const std::uint64_t items = scaled(20'000, 600);
  DeviceArray<std::uint32_t> runs(*queue, items);
  DeviceArray<std::uint64_t> wrong(*queue, 1);
  TaskList<WidthTasks> roots;
  for (std::uint64_t i = 0; i < items; ++i) {
    const WidthCounts counts{runs.data() + i, wrong.data(), 1};
    if (splitmix64(i) % 3 == 0) roots.push(WidthNode<TaskWidth::kLane>{counts, 0});
    if (splitmix64(i) % 3 == 1) roots.push(WidthNode<TaskWidth::kWarp>{counts, 0});
    if (splitmix64(i) % 3 == 2) roots.push(WidthNode<TaskWidth::kBlock>{counts, 0});
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
  EXPECT_EQ(wrong.read()[0], 0u);
}

TEST_P(WidthTest, SpawnAndAddCountOnceForEachLane) {
  const std::uint64_t roots = scaled(300, 20);
  const std::uint64_t lanes_of_warp = static_cast<std::uint64_t>(device->info().warp_width);
  EXPECT_EQ(run_each_lane_spawns<TaskWidth::kLane>(roots), 1u);
  EXPECT_EQ(run_each_lane_spawns<TaskWidth::kWarp>(roots), lanes_of_warp);
  EXPECT_GE(run_each_lane_spawns<TaskWidth::kBlock>(roots), lanes_of_warp);
}

TEST_P(WidthTest, LanesAddTogether) {
  expect_sums_together<TaskWidth::kLane>(run_each_lane_spawns<TaskWidth::kLane>(1));
  expect_sums_together<TaskWidth::kWarp>(run_each_lane_spawns<TaskWidth::kWarp>(1));
  expect_sums_together<TaskWidth::kBlock>(run_each_lane_spawns<TaskWidth::kBlock>(1));
}

TEST_P(WidthTest, AFailureOfAnyLaneIsOne) {
  expect_failure_of_one_lane<TaskWidth::kWarp>();
  expect_failure_of_one_lane<TaskWidth::kBlock>();
}

INSTANTIATE_TEST_SUITE_P(Conformance, WidthTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

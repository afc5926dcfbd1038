// SPDX-License-Identifier: Apache-2.0

// Runs whose tasks have levels, under every policy.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/level_tasks.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stop_token>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kNever = ~std::uint32_t{0};
constexpr std::uint32_t kLast = ~std::uint32_t{0};

std::vector<std::uint64_t> row_values(std::uint32_t rows, std::uint32_t columns) {
  std::vector<std::uint64_t> values;
  std::uint64_t sum = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t i = 0; i < columns; ++i) values.push_back(LevelRows::value(sum, i));
    sum = std::accumulate(values.end() - columns, values.end(), std::uint64_t{0});
  }
  return values;
}

class LevelTest : public PolicyTest {
 protected:
  void expect_rows(Queue& on, std::uint32_t rows, std::uint32_t columns) {
    DeviceArray<std::uint64_t> values(on, std::size_t{rows} * columns);
    DeviceArray<std::uint64_t> sums(on, rows);
    DeviceArray<std::uint32_t> wrong(on, 1);
    const LevelTable root{{rows, columns, values.data(), sums.data(), wrong.data()}};
    const RunReport report = run_tasks(on, TaskList<LevelRowTasks>(root), {.policy = policy});
    const std::uint64_t cells = std::uint64_t{rows} * columns;
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, cells, cells}));
    EXPECT_EQ(values.read(), row_values(rows, columns));
    EXPECT_EQ(sums.read(), std::vector<std::uint64_t>(rows, columns));
    EXPECT_EQ(wrong.read()[0], 0u);
  }

  // The roots of a forest, all at level 0.
  static TaskList<LevelTwigTasks> twigs(std::uint32_t* runs, std::uint64_t items,
                                        std::uint32_t failing_level = kNever) {
    TaskList<LevelTwigTasks> roots;
    for (std::uint64_t i = 0; i < LevelTwig::kRoots; ++i) {
      roots.push(LevelTwig{runs, items, i, 0, failing_level});
    }
    return roots;
  }

  // Each item once, and none at a wrong level.
  static std::vector<std::uint32_t> once(std::uint64_t items) {
    std::vector<std::uint32_t> runs(items, 1);
    runs.push_back(0);
    return runs;
  }

  void expect_twigs(Queue& on, std::uint64_t items) {
    DeviceArray<std::uint32_t> runs(on, items + 1);
    const RunReport report = run_tasks(on, twigs(runs.data(), items), {.policy = policy});
    EXPECT_EQ(report.tasks(), items);
    EXPECT_EQ(runs.read(), once(items));
  }
};

TEST_P(LevelTest, ALevelObservesAllOfLowerLevels) {
  expect_rows(*queue, 1, 1);
  expect_rows(*queue, 2, 3);
  expect_rows(*queue, scaled(100, 12), scaled(300, 70));
  expect_rows(*queue, 3, scaled(5000, 500));
}

TEST_P(LevelTest, TasksRunOnceAtTheLevelTheyWereSpawnedAt) {
  for (int round = 0; round < 2; ++round) expect_twigs(*queue, scaled(200'000, 4'000));
}

TEST_P(LevelTest, NothingIsLostWithNextToNoMemory) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{64} << 10}) {
    const auto small = device->make_queue({.task_memory_bytes = bytes});
    expect_rows(*small, 5, scaled(2000, 200));
    expect_twigs(*small, scaled(50'000, 1'500));
  }
}

TEST_P(LevelTest, RootsMayHaveLevels) {
  constexpr std::uint32_t kItems = LevelTwig::kRoots;  // None has children.
  DeviceArray<std::uint32_t> runs(*queue, kItems + 1);
  TaskList<LevelTwigTasks> roots;
  for (std::uint32_t i = 0; i < kItems; ++i) {
    const std::uint32_t level = i % 3 == 0 ? 0 : i % 3 == 1 ? kLast - 1 : i % 7 * 100;
    roots.push_at(level, LevelTwig{runs.data(), kItems, i, level, kNever});
  }
  TaskList<LevelTwigTasks> lists(LevelTwig{runs.data(), kItems, 0, 0, kNever});
  lists.append(roots);
  EXPECT_EQ(lists.level(2), kLast - 1);
  run_tasks(*queue, lists, {.policy = policy});
  auto expected = once(kItems);
  expected[0] = 2;
  EXPECT_EQ(runs.read(), expected);
}

TEST_P(LevelTest, NoRootsAreARunToo) {
  const RunReport report = run_tasks(*queue, TaskList<LevelTwigTasks>(), {.policy = policy});
  EXPECT_EQ(report.tasks(), 0u);
}

TEST_P(LevelTest, ItemsOfAnyWidthSpawnAtLevels) {
  const std::size_t items = scaled(3000, 200);
  DeviceArray<std::uint32_t> runs(*queue, 2 * items + 1);
  std::vector<TaskTag> tags;
  for (std::size_t i = 0; i < items; ++i) tags.push_back(static_cast<TaskTag>(i % 3));
  Buffer<TaskTag> on_device(device, MemorySpace::kDevice, items);
  copy(*queue, on_device.span(), BufferSpan<const TaskTag>(std::span(tags)));
  run_tasks(*queue,
            IndexedTasks<WideLevelTasks>{
                .tags = on_device.data(), .count = items, .arguments = {runs.data(), items}},
            {.policy = policy});
  EXPECT_EQ(runs.read(), once(2 * items));
}

TEST_P(LevelTest, AFailureDropsLaterLevels) {
  const std::uint64_t items = scaled(50'000, 2'000);
  DeviceArray<std::uint32_t> runs(*queue, items + 1);
  try {
    run_tasks(*queue, twigs(runs.data(), items, /*failing_level=*/50), {.policy = policy});
    ADD_FAILURE() << "the run did not fail";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
    EXPECT_EQ(error.detail(), 77);
  }
  const std::vector<std::uint32_t> counts = runs.read();
  EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), 1u);
  EXPECT_LT(std::accumulate(counts.begin(), counts.end(), 0u), items);
  expect_twigs(*queue, items);  // The queue is as good as new.
}

TEST_P(LevelTest, TheLowestValueStays) {
  const auto items = static_cast<std::uint32_t>(scaled(100'000, 2'000));
  DeviceArray<std::uint32_t> words(*queue, 2);
  DeviceArray<std::uint64_t> long_word(*queue, 1);
  std::vector<std::uint32_t> first = {kLast, 0};
  std::vector<std::uint64_t> first_long = {~std::uint64_t{0}};
  const auto upload = [&](auto* target, const auto& host) {
    using T = std::remove_pointer_t<decltype(target)>;
    copy(*queue, BufferSpan<T>(std::span(target, host.size())),
         BufferSpan<const T>(std::span(host)));
    queue->wait();
  };
  upload(words.data(), first);
  upload(long_word.data(), first_long);
  TaskList<LowerTasks> roots;
  std::uint64_t least = first_long[0];
  for (std::uint32_t i = 0; i < items; ++i) {
    roots.push(LowerWords{words.data(), long_word.data(), words.data() + 1, i});
    least = std::min(least, LowerWords::value(i));
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(long_word.read()[0], least);
  EXPECT_EQ(words.read()[0], least >> 32);
  EXPECT_GE(words.read()[1], 1u);
}

// Continues on other queues, which know nothing of the run before, until nothing is left.
class LevelStopTest : public LevelTest {
 protected:
  template <class Set>
  std::uint64_t run_with_stops(TaskList<Set> rest, const QueueOptions& options = {}) {
    std::uint64_t tasks = 0;
    for (std::chrono::nanoseconds deadline = 20us; !rest.empty(); deadline += deadline / 4) {
      const auto other = device->make_queue(options);
      try {
        tasks += run_tasks(*other, rest,
                           {.policy = policy, .deadline = deadline, .keep_unfinished = true})
                     .tasks();
        rest.clear();
      } catch (const UnfinishedRun<Set>& stopped) {
        EXPECT_EQ(stopped.code(), ErrorCode::kCancelled);
        EXPECT_EQ(stopped.tasks_left(), stopped.remaining().size());
        tasks += stopped.tasks_run();
        rest = stopped.remaining();
      }
    }
    return tasks;
  }
};

TEST_P(LevelStopTest, AStoppedRunContinuesAtItsLevels) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{4096}}) {
    const std::uint64_t items = scaled(200'000, 2'000);
    DeviceArray<std::uint32_t> runs(*queue, items + 1);
    EXPECT_EQ(run_with_stops(twigs(runs.data(), items), {.task_memory_bytes = bytes}), items);
    EXPECT_EQ(runs.read(), once(items));
  }
}

TEST_P(LevelStopTest, AStoppedTableContinuesInOrder) {
  const std::uint32_t rows = scaled(60, 8);
  const std::uint32_t columns = scaled(500, 60);
  DeviceArray<std::uint64_t> values(*queue, std::size_t{rows} * columns);
  DeviceArray<std::uint64_t> sums(*queue, rows);
  DeviceArray<std::uint32_t> wrong(*queue, 1);
  const LevelTable root{{rows, columns, values.data(), sums.data(), wrong.data()}};
  run_with_stops(TaskList<LevelRowTasks>(root));
  EXPECT_EQ(values.read(), row_values(rows, columns));
  EXPECT_EQ(wrong.read()[0], 0u);
}

TEST_P(LevelStopTest, ARunStoppedAtItsStartHandsBackAllLevels) {
  std::stop_source stop;
  stop.request_stop();
  constexpr std::uint32_t kItems = LevelTwig::kRoots;
  DeviceArray<std::uint32_t> runs(*queue, kItems + 1);
  const auto level_of = [](std::uint64_t i) { return static_cast<std::uint32_t>(5 + i % 9 * 10); };
  TaskList<LevelTwigTasks> roots;
  for (std::uint32_t i = 0; i < kItems; ++i) {
    roots.push_at(level_of(i), LevelTwig{runs.data(), kItems, i, level_of(i), kNever});
  }
  try {
    run_tasks(*queue, roots, {.policy = policy, .stop = stop.get_token(), .keep_unfinished = true});
    ADD_FAILURE() << "the run was not stopped";
  } catch (const UnfinishedRun<LevelTwigTasks>& stopped) {
    const auto& rest = stopped.remaining();
    ASSERT_EQ(stopped.tasks_run() + rest.size(), kItems);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      EXPECT_EQ(rest.level(i), level_of(rest.view().get<LevelTwig>(i).index));
    }
    run_tasks(*queue, rest, {.policy = policy});
  }
  EXPECT_EQ(runs.read(), once(kItems));
}

TEST_P(LevelStopTest, ARunThatKeepsNothingIsStoppedToo) {
  const std::uint64_t items = scaled(3'000'000, 200'000);
  DeviceArray<std::uint32_t> runs(*queue, items + 1);
  try {
    run_tasks(*queue, twigs(runs.data(), items), {.policy = policy, .deadline = 1ms});
  } catch (const RunStopped& error) {
    EXPECT_EQ(dynamic_cast<const UnfinishedRun<LevelTwigTasks>*>(&error), nullptr);
    EXPECT_LT(error.tasks_run(), items);
  }
}

TEST_P(LevelStopTest, WithNowhereToSpillToNothingIsLost) {
  const auto small = device->make_queue({.task_memory_bytes = 4096});
  const std::uint64_t items = scaled(50'000, 4'000);
  DeviceArray<std::uint32_t> runs(*small, items + 1);
  std::uint64_t tasks = 0;
  try {
    tasks = run_tasks(*small, twigs(runs.data(), items), {.policy = policy, .spill_bytes = 4096})
                .tasks();
  } catch (const UnfinishedRun<LevelTwigTasks>& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    tasks = error.tasks_run() + run_tasks(*small, error.remaining(), {.policy = policy}).tasks();
  }
  EXPECT_EQ(tasks, items);
  EXPECT_EQ(runs.read(), once(items));
}

// Each level leaves fewer tasks for the last one than may spill, but all together leave more.
TEST_P(LevelStopTest, TasksOfLaterLevelsSpillWithinTheBound) {
  constexpr std::size_t kBytes = 4096;  // Size of the task memory and of the spill bound.
  const auto stairs = static_cast<std::uint32_t>(scaled(400, 24));
  const std::uint32_t all = stairs * (1 + LevelStair::kWaiting);
  DeviceArray<std::uint32_t> runs(*queue, all + 1);
  TaskList<LevelStairTasks> rest(LevelStair{runs.data(), stairs, 0});
  bool was_stopped = false;
  while (!rest.empty()) {
    const auto small = device->make_queue({.task_memory_bytes = kBytes});
    try {
      run_tasks(*small, rest, {.policy = policy, .spill_bytes = kBytes});
      rest.clear();
    } catch (const UnfinishedRun<LevelStairTasks>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      ASSERT_GT(error.tasks_run(), 0u);
      // One stair may pass the bound before the host stops the run.
      const std::size_t more = 2 * kBytes / sizeof(LevelStair) + 1 + LevelStair::kWaiting;
      EXPECT_LE(error.remaining().size(), rest.size() + more);
      rest = error.remaining();
      was_stopped = true;
    }
  }
  EXPECT_EQ(runs.read(), once(all));
  EXPECT_EQ(was_stopped, device->info().warp_width > 1);  // CPUs ignore the bounds.
}

class LevelJoinTest : public LevelStopTest {};

TEST_P(LevelJoinTest, AJoinMaySpanLevels) {
  const auto count = static_cast<std::uint32_t>(scaled(200, 15));
  DeviceArray<std::uint64_t> result(*queue, 1);
  const TaskList<LevelJoinTasks> roots(LevelJoinRoot{result.data(), count});
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(result.read()[0], count + 1);
  run_with_stops(roots);
  EXPECT_EQ(result.read()[0], 2 * (count + 1));
}

INSTANTIATE_TEST_SUITE_P(Conformance, LevelTest, each_policy(),
                         [](const auto& info) { return name_of(info); });
INSTANTIATE_TEST_SUITE_P(Conformance, LevelStopTest, each_policy(),
                         [](const auto& info) { return name_of(info); });
INSTANTIATE_TEST_SUITE_P(Conformance, LevelJoinTest, each_policy(),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

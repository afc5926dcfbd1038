// SPDX-License-Identifier: Apache-2.0

// Runs that fail, and hand back what they have not started.
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>
#include <millrace/tests/conformance/tasks/level_tasks.h>
#include <millrace/tests/conformance/tasks/stop_tasks.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace millrace::conformance {
namespace {

constexpr Policy kPolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                Policy::kKernelPerType, Policy::kAuto};

class FailedRunTest : public PolicyTest {
 protected:
  // Runs the roots, then what each failed run hands back, until nothing is left. Returns the number
  // of tasks that ran, and counts the failures.
  template <class Set>
  std::uint64_t run_all(TaskList<Set> rest, int detail) {
    std::uint64_t tasks = 0;
    while (!rest.empty()) {
      try {
        tasks += run_tasks(*queue, rest, {.policy = policy, .keep_unfinished = true}).tasks();
        rest.clear();
      } catch (const FailedRun<Set>& failed) {
        ++failures;
        EXPECT_EQ(failed.code(), ErrorCode::kTaskFailed);
        EXPECT_EQ(failed.detail(), detail);
        EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
        EXPECT_GE(failed.tasks_run(), 1u);
        tasks += failed.tasks_run();
        rest = failed.remaining();
      }
    }
    return tasks;
  }

  int failures = 0;
};

TEST_P(FailedRunTest, AFlatQueueIsRunOnceByTheRunsOfWhatIsHandedBack) {
  const std::size_t items = scaled(50'000, 3'000);
  const std::size_t failing = items / 8;
  DeviceArray<std::uint32_t> runs(*queue, items);
  TaskList<FragileFlatTasks> roots;
  for (std::size_t i = 0; i < items; ++i) {
    const std::uint64_t fails = i % failing == failing - 1 ? 1 : 0;
    if (i % 3 == 0) {
      roots.push(FragileItem<4>{runs.data() + i, {fails}});
    } else {
      roots.push(FragileItem<1>{runs.data() + i, {fails}});
    }
  }
  EXPECT_EQ(run_all(roots, FragileItem<1>::kFailure), items);
  EXPECT_EQ(runs.read(), std::vector<std::uint32_t>(items, 1));
  EXPECT_GE(failures, 1);
}

TEST_P(FailedRunTest, AForestIsRunOnceByTheRunsOfWhatIsHandedBack) {
  // A node that fails leaves its second child.
  std::vector<std::uint32_t> expected(scaled(4'000, 1'500), 1);
  for (std::uint64_t i = CountedTwig::kRoots; i < expected.size(); ++i) {
    const std::uint64_t parent = CountedTwig::parent(i);
    const bool is_second = i % 2 != CountedTwig::kRoots % 2;
    const bool is_spawned = !CountedTwig::is_empty(i) && !(is_second && FragileTwig::fails(parent));
    expected[i] = is_spawned ? expected[parent] : 0;
  }
  const auto tasks = std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
  DeviceArray<std::uint32_t> runs(*queue, expected.size());
  TaskList<FragileTwigTasks> roots;
  for (std::uint64_t i = 0; i < CountedTwig::kRoots; ++i) {
    roots.push(FragileTwig{{runs.data(), expected.size()}, i});
  }
  EXPECT_EQ(run_all(roots, FragileTwig::kFailure), tasks);
  EXPECT_EQ(runs.read(), expected);
  EXPECT_GE(failures, 1);
}

TEST_P(FailedRunTest, TasksOfLaterLevelsAreHandedBack) {
  const std::uint64_t items = scaled(50'000, 2'000);
  DeviceArray<std::uint32_t> runs(*queue, items + 1);
  TaskList<LevelTwigTasks> roots;
  for (std::uint64_t i = 0; i < LevelTwig::kRoots; ++i) {
    roots.push(LevelTwig{runs.data(), items, i, 0, /*failing_level=*/50});
  }
  try {
    run_tasks(*queue, roots, {.policy = policy, .keep_unfinished = true});
    FAIL() << "the run did not fail";
  } catch (const FailedRun<LevelTwigTasks>& failed) {
    EXPECT_EQ(failed.detail(), 77);
    const std::vector<std::uint32_t> counts = runs.read();
    const auto ran = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    ASSERT_GT(failed.tasks_run(), ran);  // Tasks that failed did not count.
    // Nodes whose parent has run, and that have not: they have failed or are handed back.
    std::vector<std::uint32_t> waits(items);
    for (std::uint64_t i = 0; i < items; ++i) {
      EXPECT_LE(counts[i], 1u);
      const bool is_spawned = i < LevelTwig::kRoots || counts[(i - LevelTwig::kRoots) / 2] == 1;
      waits[i] = is_spawned && counts[i] == 0 ? 1 : 0;
    }
    EXPECT_EQ(failed.tasks_run() - ran + failed.remaining().size(),
              std::accumulate(waits.begin(), waits.end(), std::uint64_t{0}));
    for (std::size_t i = 0; i < failed.remaining().size(); ++i) {
      const LevelTwig left = failed.remaining().view().get<LevelTwig>(i);
      EXPECT_EQ(waits[left.index]--, 1u) << "node " << left.index;
      EXPECT_EQ(failed.remaining().level(i), left.level);
    }
  }
}

TEST_P(FailedRunTest, TasksAreHandedBackOnlyOnRequest) {
  DeviceArray<std::uint32_t> runs(*queue, 1);
  const TaskList<FragileFlatTasks> roots(FragileItem<1>{runs.data(), {1}},
                                         FragileItem<1>{runs.data(), {0}});
  try {
    run_tasks(*queue, roots, {.policy = policy});
    FAIL() << "the run did not fail";
  } catch (const RunFailed&) {
    FAIL() << "not requested";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), FragileItem<1>::kFailure);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, FailedRunTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kPolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

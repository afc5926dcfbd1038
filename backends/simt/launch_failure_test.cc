// SPDX-License-Identifier: Apache-2.0

// Tests of runs in which a launch fails for lack of memory: whichever launch it is, no task is
// lost.
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/backends/simt/run_test.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::MILLRACE_GPU {
namespace {

// Counts itself, and spawns nothing.
template <int type>
struct Flat {
  static constexpr bool kSpawns = false;
  std::uint64_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
  }
};
using FlatTasks = TaskSet<Flat<0>, Flat<1>, Flat<2>>;

const target::RegisterTasks<TreeTasks> registered_trees;
const target::RegisterTasks<FanOutTasks> registered_fan_outs;
const target::RegisterTasks<LateTasks> registered_late;
const target::RegisterTasks<FlatTasks> registered_flat;

class LaunchFailureTest : public RunTest {
 protected:
  ~LaunchFailureTest() override { simt::let_launches_fail(0, 0); }

  // Calls run_with_failure() for a failure of the first launch, of the second and so on, until a
  // run has fewer.
  template <class Run>
  static void fail_each_launch(const Run& run_with_failure) {
    constexpr std::uint64_t kMost = 200;
    for (std::uint64_t skipped = 0; skipped < kMost; ++skipped) {
      SCOPED_TRACE("launch " + std::to_string(skipped) + " fails");
      simt::let_launches_fail(skipped, 1);
      const bool has_failed = run_with_failure(/*is_first=*/skipped == 0);
      if (!has_failed) return;
    }
    ADD_FAILURE() << "a run has more than " << kMost << " launches";
  }

  // Runs the roots with the failure that is set, and then what is left. Returns true if a launch
  // has failed.
  template <class Set>
  bool run_with_failure(const TaskList<Set>& roots, bool is_first, const RunOptions& options = {}) {
    const TaskList<Set> left = left_of(roots, /*participant=*/nullptr, options);
    const bool has_failed = simt::launches_to_fail() == 0;
    simt::let_launches_fail(0, 0);
    if (is_first) {
      EXPECT_EQ(tasks_run, 0u);
      EXPECT_EQ(left.size(), roots.size());
      EXPECT_TRUE(workers.empty());
    }
    if (!left.empty()) run(left);
    return has_failed;
  }
};

TEST_P(LaunchFailureTest, OfTasksThatSpillTheOthersAreHandedBack) {
  queue = make_gpu_queue(*device, {.task_memory_bytes = 4096});
  fail_each_launch([&](bool is_first) {
    const bool has_failed = run_with_failure(fan_outs(3, 300), is_first);
    EXPECT_EQ(take_result(), 3 * 301u);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, OfARunWithADeadlineTheWorkersAreKnown) {
  fail_each_launch([&](bool is_first) {
    const RunOptions options{.deadline = std::chrono::hours(1)};
    const bool has_failed = run_with_failure(fan_outs(3, 300), is_first, options);
    EXPECT_EQ(take_result(), 3 * 301u);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, OfTasksThatSpawnNothingTheOthersAreHandedBack) {
  constexpr std::uint64_t kTasks = 12'000;  // More than the ring of spilled tasks holds.
  fail_each_launch([&](bool is_first) {
    TaskList<FlatTasks> roots;
    for (std::uint64_t i = 0; i < kTasks; i += 3) {
      roots.push(Flat<0>{result.data()});
      roots.push(Flat<1>{result.data()});
      roots.push(Flat<2>{result.data()});
    }
    const bool has_failed = run_with_failure(roots, is_first);
    EXPECT_EQ(take_result(), kTasks);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, OpenJoinsAreHandedBack) {
  queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024, .join_capacity = 16});
  fail_each_launch([&](bool is_first) {
    const bool has_failed = run_with_failure(trees(7, 4, 2), is_first);
    EXPECT_EQ(take_result(), 7u * 16);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, OfLevelsTheLaterOnesAreHandedBack) {
  fail_each_launch([&](bool is_first) {
    const bool has_failed = run_with_failure(late_fan_out(300), is_first);
    EXPECT_EQ(take_result(), 300u);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, OfAPartThatSpreadsTheTasksNothingIsLost) {
  constexpr std::size_t kTrees = 300;
  fail_each_launch([&](bool) {
    SharedSegment segment(/*spreads=*/true);
    TaskList<TreeTasks> left = left_of(trees(kTrees, 1, 2), &segment);
    const bool has_failed = simt::launches_to_fail() == 0;
    simt::let_launches_fail(0, 0);
    left.append(segment.given());
    left.set_arguments({result.data()});
    run(left);
    EXPECT_EQ(take_result(), 2 * kTrees);
    return has_failed;
  });
}

TEST_P(LaunchFailureTest, WithoutARunTheErrorOfTheLaunchIsThrown) {
  simt::let_launches_fail(0, 1);
  try {
    StreamGate gate(*queue);
    queue->wait();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_NE(std::string_view(error.what()).find("could not launch a kernel"),
              std::string_view::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Simt, LaunchFailureTest, testing::ValuesIn(kConcretePolicies),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

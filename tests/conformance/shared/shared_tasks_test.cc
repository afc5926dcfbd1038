// SPDX-License-Identifier: Apache-2.0

// One spawning queue on groups of devices.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/group/shared_sums.h>
#include <millrace/tests/conformance/groups.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

constexpr Policy kPolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                Policy::kKernelPerType, Policy::kAuto};

class SharedTasksTest : public GroupTest {
 protected:
  std::uint32_t depth() const { return has_simulated() ? 9 : 12; }
  std::uint32_t calls() const { return has_simulated() ? 14 : 22; }
  bool are_simulated_gpus() const {
    const auto infos = group.infos();
    return std::all_of(infos.begin(), infos.end(),
                       [](const DeviceInfo& info) { return info.is_simulated; });
  }

  // Roots whose trees differ in size.
  std::vector<SharedNode> roots(std::uint64_t count) const {
    std::vector<SharedNode> nodes;
    for (std::uint64_t i = 0; i < count; ++i) nodes.push_back({splitmix64(i), depth(), 0});
    return nodes;
  }
};

TEST_P(SharedTasksTest, RunEachTaskOfATreeOnce) {
  for (const Policy policy : kPolicies) {
    for (const std::uint64_t count : {0, 1, 5, 200}) {
      const auto nodes = roots(count);
      const auto expected = shared_totals(nodes);
      AllSums sums;
      const auto report = run_tasks(group, sums.tasks(list_of(nodes)), {.policy = policy});
      EXPECT_EQ(sums.totals(), expected) << to_string(policy) << ", " << count << " roots";
      EXPECT_EQ(report.run.tasks(), expected[0]);
      ASSERT_EQ(report.devices.size(), group.size());
      std::uint64_t tasks = 0;
      for (const SharedDeviceReport& device : report.devices) tasks += device.run.tasks();
      EXPECT_EQ(tasks, expected[0]);
    }
  }
}

TEST_P(SharedTasksTest, RunChains) {
  for (const Policy policy : kPolicies) {
    for (const std::uint32_t chains : {1, 100}) {
      constexpr std::uint32_t kLinks = 24;
      AllSums sums;
      TaskList<SharedChainTasks> roots;
      for (std::uint32_t i = 0; i < chains; ++i) roots.push(SharedLink{kLinks - 1});
      const auto report = run_tasks(group, sums.tasks(roots), {.policy = policy});
      EXPECT_EQ(sums.totals()[0], chains * kLinks) << to_string(policy) << ", " << chains;
      EXPECT_EQ(report.run.tasks(), chains * kLinks);
    }
  }
}

// A tree so wide that its first waves suffice for all devices.
TEST_P(SharedTasksTest, DistributeTheTreeOfOneRoot) {
  const SharedNode root{.state = std::uint64_t{4} << 40, .depth = depth(), .fails = 0};
  const Totals expected = shared_totals({root});
  ASSERT_GT(expected[0], 1000u);
  AllSums sums;
  const auto report = run_tasks(group, sums.tasks(list_of({root})), {.policy = Policy::kAuto});
  EXPECT_EQ(sums.totals(), expected);
  // A larger GPU runs this tree by waves alone.
  if (!are_simulated_gpus()) return;
  for (const SharedDeviceReport& device : report.devices) {
    EXPECT_GT(device.exchanged.tasks_taken, 0u) << device.device;
    EXPECT_GT(device.run.tasks(), 1u) << device.device;
  }
}

TEST_P(SharedTasksTest, FailInTheFirstWaves) {
  AllSums sums;
  const SharedNode root{.state = std::uint64_t{4} << 40, .depth = depth(), .fails = 3};
  try {
    run_tasks(group, sums.tasks(list_of({root})));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), SharedNode::kFailure) << error.what();
  }
}

TEST_P(SharedTasksTest, JoinChildrenThatTravel) {
  for (const Policy policy : kPolicies) {
    for (const std::uint32_t n : {std::uint32_t{0}, std::uint32_t{5}, calls()}) {
      AllSums sums;
      TaskList<SharedCallTasks> roots;
      for (std::uint32_t i = 0; i < 3; ++i) roots.push(SharedStart{n, 0});
      run_tasks(group, sums.tasks(roots), {.policy = policy});
      EXPECT_EQ(sums.totals()[0], 3 * fibonacci(n)) << to_string(policy) << ", n " << n;
      EXPECT_EQ(sums.totals()[1], 3);
    }
  }
}

TEST_P(SharedTasksTest, GrowJoinsAndLendThem) {
  for (const Policy policy : kPolicies) {
    constexpr std::uint32_t kDepth = 6;
    constexpr std::uint32_t kRoots = 20;
    AllSums sums;
    TaskList<SharedBranchTasks> roots;
    for (std::uint32_t i = 0; i < kRoots; ++i) roots.push(SharedBranch{kDepth, 3});
    run_tasks(group, sums.tasks(roots), {.policy = policy});
    // A branch has one child that lends, and two that add two levels of two.
    EXPECT_EQ(sums.totals()[0], kRoots * (kDepth + 1)) << to_string(policy);
    EXPECT_EQ(sums.totals()[1], kRoots * (kDepth + 1) * (1 + 2 * (1 + 2 + 4)));
    EXPECT_EQ(sums.totals()[2], kRoots * kDepth * (kDepth + 1) / 2);
  }
}

TEST_P(SharedTasksTest, RunRandomShapes) {
  SeededRandom random;
  const int runs = has_simulated() ? 25 : 500;
  for (int run = 0; run < runs; ++run) {
    const RunOptions options{.policy = kPolicies[random() % std::size(kPolicies)]};
    const auto most = static_cast<std::uint32_t>(1 + random() % depth());
    std::vector<SharedNode> nodes;
    for (std::uint64_t i = random() % 20; i > 0; --i) {
      nodes.push_back({random(), static_cast<std::uint32_t>(random() % most), 0});
    }
    AllSums trees;
    run_tasks(group, trees.tasks(list_of(nodes)), options);
    ASSERT_EQ(trees.totals(), shared_totals(nodes)) << "run " << run;

    AllSums sums;
    TaskList<SharedCallTasks> roots;
    std::uint64_t expected = 0;
    for (std::uint64_t i = random() % 4; i > 0; --i) {
      const auto n = static_cast<std::uint32_t>(random() % calls());
      roots.push(SharedStart{n, 0});
      expected += fibonacci(n);
    }
    run_tasks(group, sums.tasks(roots), options);
    ASSERT_EQ(sums.totals()[0], expected) << "run " << run;
    ASSERT_EQ(sums.totals()[1], roots.size()) << "run " << run;
  }
}

TEST_P(SharedTasksTest, EndWithTheFailureOfATask) {
  AllSums sums;
  auto nodes = roots(50);
  for (SharedNode& node : nodes) node.fails = 0x3f;
  try {
    run_tasks(group, sums.tasks(list_of(nodes)), {.policy = Policy::kPersistentThreads});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed) << error.what();
    EXPECT_EQ(error.detail(), SharedNode::kFailure);
  }
  // The group runs on.
  AllSums again;
  run_tasks(group, again.tasks(list_of(roots(5))));
  EXPECT_EQ(again.totals(), shared_totals(roots(5)));
}

TEST_P(SharedTasksTest, NameTheContinuationThatWaits) {
  AllSums sums;
  try {
    run_tasks(group, sums.tasks(TaskList<SharedCallTasks>(SharedStart{8, 2})));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
    EXPECT_NE(std::string(error.what()).find("SharedAnswer"), std::string::npos) << error.what();
  }
}

// Stops a run again and again, and goes on with what is left.
template <class Set>
void run_in_pieces(const DeviceGroup& group, AllSums& sums, TaskList<Set> rest) {
  int stops = 0;
  while (!rest.empty()) {
    try {
      const auto deadline = 200us * (1 << std::min(stops / 4, 20));
      run_tasks(group, sums.tasks(std::exchange(rest, {})),
                {.deadline = deadline, .keep_unfinished = true});
    } catch (const UnfinishedRun<Set>& stopped) {
      ++stops;
      EXPECT_EQ(stopped.code(), ErrorCode::kCancelled);
      EXPECT_EQ(stopped.tasks_left(), stopped.remaining().size());
      rest = stopped.remaining();
    }
  }
}

TEST_P(SharedTasksTest, GoOnWhereTheyWereStopped) {
  const auto nodes = roots(20);
  AllSums sums;
  run_in_pieces(group, sums, list_of(nodes));
  EXPECT_EQ(sums.totals(), shared_totals(nodes));

  AllSums calls_sums;
  run_in_pieces(group, calls_sums, TaskList<SharedCallTasks>(SharedStart{calls(), 0}));
  EXPECT_EQ(calls_sums.totals()[0], fibonacci(calls()));
}

// Stops after a time that grows by little: before, in and after the first waves.
TEST_P(SharedTasksTest, StopInTheFirstWaves) {
  const SharedNode root{.state = std::uint64_t{4} << 40, .depth = depth(), .fails = 0};
  const Totals expected = shared_totals({root});
  for (int step = 0; step < 8; ++step) {
    AllSums sums;
    TaskList<SharedTreeTasks> rest = list_of({root});
    for (auto deadline = 1ns + 30us * step; !rest.empty(); deadline *= 4) {
      try {
        run_tasks(group, sums.tasks(std::exchange(rest, {})),
                  {.deadline = deadline, .keep_unfinished = true});
      } catch (const UnfinishedRun<SharedTreeTasks>& stopped) {
        rest = stopped.remaining();
      }
    }
    EXPECT_EQ(sums.totals(), expected) << "step " << step;
  }
}

TEST_P(SharedTasksTest, StopOnRequest) {
  std::stop_source stop;
  stop.request_stop();
  AllSums sums;
  const auto nodes = roots(20);
  try {
    run_tasks(group, sums.tasks(list_of(nodes)),
              {.stop = stop.get_token(), .keep_unfinished = true});
    ADD_FAILURE() << "no error";
  } catch (const UnfinishedRun<SharedTreeTasks>& stopped) {
    // Another group goes on with it.
    const DeviceGroup one({group.device(group.size() - 1)});
    run_tasks(one, sums.tasks(stopped.remaining()));
    EXPECT_EQ(sums.totals(), shared_totals(nodes));
  }
}

TEST_P(SharedTasksTest, FinishEachDeviceOfARunThatIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  AllSums sums;
  std::atomic<std::size_t> finished = 0;
  SharedTasks<SharedTreeTasks> tasks = sums.tasks(list_of(roots(20)));
  tasks.finish = [&](Queue&) { ++finished; };
  EXPECT_THROW(run_tasks(group, tasks, {.stop = stop.get_token()}), RunStopped);
  EXPECT_EQ(finished, group.size());
  EXPECT_THROW(run_tasks(group.queue(0), tasks, {.stop = stop.get_token()}), RunStopped);
  EXPECT_EQ(finished, group.size() + 1);
}

TEST_P(SharedTasksTest, RejectsAMissingPrepare) {
  EXPECT_THROW(run_tasks(group, SharedTasks<SharedTreeTasks>{.roots = list_of(roots(1))}), Error);
}

INSTANTIATE_TEST_SUITE_P(Groups, SharedTasksTest, testing::ValuesIn(group_names()), name_of_group);

}  // namespace
}  // namespace millrace::conformance

// SPDX-License-Identifier: Apache-2.0

// One spawning queue on groups of devices, one of which fails: what none has started is handed
// back.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/tests/conformance/groups.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

constexpr Policy kPolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                Policy::kKernelPerType, Policy::kAuto};
constexpr std::uint32_t kFails = 0x3f;  // One node in 64 fails.

// The nodes of a list that failed runs hand back.
std::vector<SharedNode> nodes_of(const TaskList<SharedTreeTasks>& list) {
  std::vector<SharedNode> nodes;
  for (std::size_t i = 0; i < list.size(); ++i) nodes.push_back(list.view().get<SharedNode>(i));
  return nodes;
}

Totals sum(Totals a, const Totals& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

class SharedFailureTest : public GroupTest {
 protected:
  std::uint32_t depth() const { return has_simulated() ? 8 : 11; }

  // A failure ends a run, so only 1 in 4,096 nodes of the large trees fails.
  std::uint32_t some_fail() const { return has_simulated() ? kFails : 0xfff; }

  std::vector<SharedNode> roots(std::uint64_t first_state, std::uint64_t count,
                                std::uint32_t fails = kFails) const {
    std::vector<SharedNode> nodes;
    for (std::uint64_t i = 0; i < count; ++i) {
      nodes.push_back({splitmix64(first_state + i), depth(), fails});
    }
    return nodes;
  }

  // Another group of these devices: one of them alone, or all in another order.
  DeviceGroup other_group(std::uint64_t choice) const {
    auto devices = group.devices();
    if (choice % 3 == 0) return DeviceGroup({devices[choice / 3 % devices.size()]});
    std::rotate(devices.begin(),
                devices.begin() + static_cast<std::ptrdiff_t>(choice / 3 % devices.size()),
                devices.end());
    return DeviceGroup(devices);
  }

  // Expects that the message begins with the name of one of the group's devices.
  void expect_name(const Error& error, const DeviceGroup& on) const {
    const std::string_view message = error.what();
    const auto infos = on.infos();
    EXPECT_TRUE(std::any_of(infos.begin(), infos.end(), [&](const DeviceInfo& info) {
      return message.starts_with(info.name + ": ");
    })) << message;
  }
};

// The sums of what has run and of all trees below what is handed back are those of the whole.
TEST_P(SharedFailureTest, HandBackWhatNoDeviceHasStarted) {
  SeededRandom random;
  const int forests = has_simulated() ? 4 : 12;
  for (int i = 0; i < forests; ++i) {
    const RunOptions options{
        .policy = kPolicies[static_cast<std::size_t>(i) % std::size(kPolicies)],
        .keep_unfinished = true};
    const auto all = roots(random(), random(1, 40), some_fail());
    const Totals expected = shared_totals(all);
    AllSums sums;
    TaskList<SharedTreeTasks> rest = list_of(all);
    while (!rest.empty()) {
      const DeviceGroup on = other_group(random());
      const std::uint64_t ran_before = sums.totals()[0] + sums.totals()[2];
      try {
        run_tasks(on, sums.tasks(std::exchange(rest, {})), options);
      } catch (const FailedRun<SharedTreeTasks>& failed) {
        EXPECT_EQ(failed.code(), ErrorCode::kTaskFailed) << failed.what();
        EXPECT_EQ(failed.detail(), SharedNode::kFailure);
        EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
        expect_name(failed, on);
        EXPECT_EQ(failed.tasks_run(), sums.totals()[0] + sums.totals()[2] - ran_before);
        rest = failed.remaining();
        ASSERT_EQ(sum(sums.totals(), shared_totals(nodes_of(rest))), expected)
            << to_string(options.policy) << " on " << on.name();
      }
    }
    EXPECT_EQ(sums.totals(), expected);
  }
}

// A tree whose first waves one device spreads, in which a node fails at any depth.
TEST_P(SharedFailureTest, HandBackWhatTheFirstWavesHaveSpread) {
  for (const std::uint32_t fails : {0x3u, 0xfu, 0xffu}) {
    const SharedNode root{.state = std::uint64_t{4} << 40, .depth = depth(), .fails = fails};
    const Totals expected = shared_totals({root});
    ASSERT_GT(expected[2], 0u);
    AllSums sums;
    try {
      run_tasks(group, sums.tasks(list_of({root})), {.keep_unfinished = true});
      ADD_FAILURE() << "no error";
    } catch (const FailedRun<SharedTreeTasks>& failed) {
      EXPECT_EQ(sum(sums.totals(), shared_totals(nodes_of(failed.remaining()))), expected);
    }
  }
}

// Calls that fail have arrived, so the joins that are handed back are completed.
TEST_P(SharedFailureTest, HandBackOpenJoins) {
  SeededRandom random;
  const std::uint32_t calls = has_simulated() ? 13 : 15;
  for (const Policy policy : kPolicies) {
    AllSums sums;
    TaskList<SharedCallTasks> rest;
    for (std::uint32_t i = 1; i <= 3; ++i) rest.push(SharedStart{calls, 0, i});
    int failures = 0;
    while (!rest.empty()) {
      const DeviceGroup on = other_group(random());
      try {
        run_tasks(on, sums.tasks(std::exchange(rest, {})),
                  {.policy = policy, .keep_unfinished = true});
      } catch (const FailedRun<SharedCallTasks>& failed) {
        ++failures;
        EXPECT_EQ(failed.detail(), SharedCall::kFailure) << failed.what();
        EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
        rest = failed.remaining();
      }
    }
    EXPECT_GE(failures, 1);
    EXPECT_EQ(sums.totals()[0], 3 * fibonacci(calls)) << to_string(policy);
    EXPECT_EQ(sums.totals()[1], 3);
  }
}

TEST_P(SharedFailureTest, HandBackTheTasksOfADeviceThatCannotBePrepared) {
  const auto nodes = roots(1, 30, /*fails=*/0);
  const Totals expected = shared_totals(nodes);
  for (std::size_t bad = 0; bad < group.size(); ++bad) {
    AllSums sums;
    SharedTasks<SharedTreeTasks> tasks = sums.tasks(list_of(nodes));
    const auto prepare = tasks.prepare;
    tasks.prepare = [&](Queue& queue) {
      if (&queue == &group.queue(bad)) throw std::runtime_error("no file");
      return prepare(queue);
    };
    try {
      run_tasks(group, tasks, {.keep_unfinished = true});
      ADD_FAILURE() << "no error";
    } catch (const FailedRun<SharedTreeTasks>& failed) {
      EXPECT_TRUE(
          std::string_view(failed.what())
              .starts_with(group.device(bad)->info().name + ": prepare or finish threw: no file"))
          << failed.what();
      EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
      EXPECT_EQ(sum(sums.totals(), shared_totals(nodes_of(failed.remaining()))), expected);
    }
  }
}

TEST_P(SharedFailureTest, ThrowTheFailureAloneUnlessTasksAreKept) {
  AllSums sums;
  std::atomic<int> finished = 0;
  SharedTasks<SharedTreeTasks> tasks = sums.tasks(list_of(roots(1, 50)));
  tasks.finish = [&](Queue&) { ++finished; };
  try {
    run_tasks(group, tasks);
    ADD_FAILURE() << "no error";
  } catch (const RunFailed&) {
    ADD_FAILURE() << "not requested";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), SharedNode::kFailure);
    expect_name(error, group);
  }
  EXPECT_EQ(finished, 0);
}

TEST_P(SharedFailureTest, HandBackWhatOneQueueHasNotStarted) {
  const auto nodes = roots(1, 50);
  AllSums sums;
  try {
    run_tasks(group.queue(0), sums.tasks(list_of(nodes)), {.keep_unfinished = true});
    ADD_FAILURE() << "no error";
  } catch (const FailedRun<SharedTreeTasks>& failed) {
    EXPECT_EQ(sum(sums.totals(), shared_totals(nodes_of(failed.remaining()))),
              shared_totals(nodes));
  }
}

// Arguments are made once for a device, however many segments of the run it gets, also if the run
// fails or is stopped.
TEST_P(SharedFailureTest, PrepareAndFinishEachDeviceOnce) {
  for (const std::uint32_t fails : {0u, kFails}) {
    for (const Policy policy : kPolicies) {
      AllSums sums;
      SharedTasks<SharedTreeTasks> tasks = sums.tasks(list_of(roots(1, 100, fails)));
      std::mutex mutex;
      std::map<const Queue*, int> prepared;
      std::map<const Queue*, int> finished;
      const auto counting = [&mutex](const auto& function, std::map<const Queue*, int>& calls) {
        return [&mutex, &calls, function](Queue& queue) {
          {
            const std::lock_guard lock(mutex);
            ++calls[&queue];
          }
          return function(queue);
        };
      };
      tasks.prepare = counting(tasks.prepare, prepared);
      tasks.finish = counting(tasks.finish, finished);
      try {
        const auto report = run_tasks(group, tasks, {.policy = policy, .keep_unfinished = true});
        EXPECT_EQ(fails, 0u);
        EXPECT_EQ(report.run.tasks(), sums.totals()[0]);
      } catch (const FailedRun<SharedTreeTasks>& failed) {
        EXPECT_NE(fails, 0u) << failed.what();
      }
      std::map<const Queue*, int> once;
      for (std::size_t i = 0; i < group.size(); ++i) once[&group.queue(i)] = 1;
      EXPECT_EQ(prepared, once) << to_string(policy);
      EXPECT_EQ(finished, once) << to_string(policy);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, SharedFailureTest, testing::ValuesIn(group_names()),
                         name_of_group);

}  // namespace
}  // namespace millrace::conformance

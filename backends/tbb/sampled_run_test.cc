// SPDX-License-Identifier: Apache-2.0

// Runs of persistent threads that kAuto stops to sample, and resumes under the same policy.
#include <millrace/backends/cpu/status/manual_timers.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace millrace::tbb_backend {
namespace {

using namespace std::chrono_literals;

// Calls a function with its index and its address.
struct Located {
  const std::function<void(int, const void*)>* function;
  int index;

  template <class Context>
  void operator()(Context&) const {
    (*function)(index, this);
  }
};
using LocatedTasks = TaskSet<Located>;
const cpu::RegisterTasks<LocatedTasks> registered;

class SampledRunTest : public testing::Test {
 protected:
  // Runs begin with persistent threads, and no other policy is ever predicted to be faster.
  SampledRunTest() {
    RunHistory::instance().forget();
    DeviceCosts costs;
    costs.of(Policy::kUberkernel)[kCostOfRun] = 1e9;
    costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
    use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  }
  ~SampledRunTest() override {
    use_costs(device->info(), nullptr);
    RunHistory::instance().forget();
  }

  static TaskList<LocatedTasks> tasks_that_call(
      const std::function<void(int, const void*)>& function) {
    TaskList<LocatedTasks> list;
    for (int i = 0; i < kTasks; ++i) list.push(Located{&function, i});
    return list;
  }

  // Runs tasks that call `function`, which counts them in `runs`, and expects that the run ends
  // early and keeps each task that has not run.
  void expect_unfinished(const std::function<void(int, const void*)>& function,
                         const RunOptions& options) {
    const auto queue = device->make_queue({.concurrency = 2});
    try {
      run_tasks(*queue, tasks_that_call(function), options);
      FAIL() << "it ended";
    } catch (const UnfinishedRun<LocatedTasks>& error) {
      EXPECT_GT(error.tasks_run(), 0u);
      EXPECT_EQ(error.tasks_run() + error.remaining().size(), std::uint64_t{kTasks});
      const auto left = error.remaining().view();
      for (std::size_t i = 0; i < error.remaining().size(); ++i) ++runs[left.get<Located>(i).index];
      EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; }));
    }
  }

  static constexpr int kTasks = 20'000;
  static constexpr int kMaxTaken = 1024;  // Limit of what a worker takes at a time.

  std::shared_ptr<Device> device = open_device("tbb");
  cpu::ManualTimers timers;
  std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(kTasks);
};

TEST_F(SampledRunTest, RunsEachTaskOnceAndWhereItIs) {
  for (const int workers : {1, 4}) {
    RunHistory::instance().forget();
    const int fired_before = timers.fired();
    for (auto& count : runs) count = 0;
    std::less<const void*> before;
    const void* begin = nullptr;
    const void* end = nullptr;
    std::atomic<int> moved = 0;
    const std::function<void(int, const void*)> function = [&](int index, const void* address) {
      if (index == 0) timers.fire();
      ++runs[index];
      if (before(address, begin) || !before(address, end)) ++moved;
    };
    const auto roots = tasks_that_call(function);
    begin = roots.slot_data();
    end = roots.slot_data() + roots.size();
    const auto queue = device->make_queue({.concurrency = workers});
    const RunReport report = run_tasks(*queue, roots);
    EXPECT_EQ(timers.fired() - fired_before, 1);  // The run was stopped once.
    EXPECT_EQ(report.tasks(), std::uint64_t{kTasks});
    EXPECT_EQ(report.policy, Policy::kPersistentThreads);
    EXPECT_EQ(report.switches, 0u);
    EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; }));
    EXPECT_LE(moved, workers * kMaxTaken);
  }
}

// The deadline is before the first sample.
TEST_F(SampledRunTest, IsStoppedByItsDeadline) {
  const std::function<void(int, const void*)> function = [&](int index, const void*) {
    ++runs[index];
    if (index % 100 == 0) timers.fire();
  };
  expect_unfinished(function, {.deadline = 1ms, .keep_unfinished = true});
  EXPECT_EQ(timers.fired(), 1);
}

TEST_F(SampledRunTest, IsStoppedOnRequestAfterASample) {
  std::stop_source stop;
  const std::function<void(int, const void*)> function = [&](int index, const void*) {
    ++runs[index];
    if (index % 100 != 0) return;
    if (timers.fired() == 0) {
      timers.fire();
    } else {
      stop.request_stop();
    }
  };
  expect_unfinished(function, {.stop = stop.get_token(), .keep_unfinished = true});
  EXPECT_EQ(timers.fired(), 1);
}

}  // namespace
}  // namespace millrace::tbb_backend

// SPDX-License-Identifier: Apache-2.0

// Runs of persistent threads that kAuto stops to sample, and resumes under the same policy.
#include <millrace/backends/cpu/task_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

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

  static constexpr int kTasks = 20'000;
  static constexpr int kMaxTaken = 1024;  // By a worker at a time.

  std::shared_ptr<Device> device = open_device("tbb");
  std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(kTasks);
};

TEST_F(SampledRunTest, RunsEachTaskOnceAndWhereItIs) {
  for (const int workers : {1, 4}) {
    RunHistory::instance().forget();
    for (auto& count : runs) count = 0;
    std::less<const void*> before;
    const void* begin = nullptr;
    const void* end = nullptr;
    std::atomic<int> moved = 0;
    const std::function<void(int, const void*)> function = [&](int index, const void* address) {
      if (index == 0) std::this_thread::sleep_for(50ms);
      ++runs[index];
      if (before(address, begin) || !before(address, end)) ++moved;
    };
    const auto roots = tasks_that_call(function);
    begin = roots.slot_data();
    end = roots.slot_data() + roots.size();
    const auto queue = device->make_queue({.concurrency = workers});
    const RunReport report = run_tasks(*queue, roots);
    EXPECT_EQ(report.tasks(), std::uint64_t{kTasks});
    EXPECT_EQ(report.policy, Policy::kPersistentThreads);
    EXPECT_EQ(report.switches, 0u);
    EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; }));
    EXPECT_LE(moved, workers * kMaxTaken);
  }
}

TEST_F(SampledRunTest, IsStoppedByItsDeadline) {
  const std::function<void(int, const void*)> function = [&](int index, const void*) {
    ++runs[index];
    std::this_thread::sleep_for(1ms);
  };
  const auto queue = device->make_queue({.concurrency = 2});
  // On a busy machine the deadline may come before the first task; then a later one is tried.
  for (auto deadline = 60ms;; deadline *= 2) {
    for (auto& count : runs) count = 0;
    try {
      run_tasks(*queue, tasks_that_call(function), {.deadline = deadline, .keep_unfinished = true});
      FAIL() << "it ended";
    } catch (const UnfinishedRun<LocatedTasks>& error) {
      EXPECT_EQ(error.tasks_run() + error.remaining().size(), std::uint64_t{kTasks});
      const auto left = error.remaining().view();
      for (std::size_t i = 0; i < error.remaining().size(); ++i) ++runs[left.get<Located>(i).index];
      EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; }));
      if (error.tasks_run() > 0) return;
    }
  }
}

}  // namespace
}  // namespace millrace::tbb_backend

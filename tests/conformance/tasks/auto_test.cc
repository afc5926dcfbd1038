// SPDX-License-Identifier: Apache-2.0

// Runs under kAuto that go on under another policy: each task runs once, and the report is of all.
// Costs of the device are given such that the model must want the change.
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>
#include <millrace/tests/conformance/tasks/stop_tasks.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

class AutoTest : public ConformanceTest {
 protected:
  AutoTest() { RunHistory::instance().forget(); }
  ~AutoTest() override {
    use_costs(device->info(), nullptr);
    RunHistory::instance().forget();
  }

  // A run of kChains roots begins with waves, of which 164 are expected (assumed_growth.h). They
  // cost less than a run under persistent threads. A sample of 286 waves or more makes the run
  // change: kSwitchFraction of their cost is more.
  void begin_with_waves() {
    DeviceCosts costs;
    costs.of(Policy::kPersistentThreads)[kCostOfRun] = 4;
    costs.of(Policy::kUberkernel)[kCostOfWave] = 0.02;
    costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
    use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  }

  // The same with waves that the host drives.
  void begin_with_kernels_per_type() {
    DeviceCosts costs;
    costs.of(Policy::kPersistentThreads)[kCostOfRun] = 4;
    costs.of(Policy::kKernelPerType)[kCostOfWave] = 0.02;
    costs.of(Policy::kUberkernel)[kCostOfRun] = 1e9;
    use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  }

  // A run begins with persistent threads, whose time is taken for the tasks' own: a run that takes
  // longer than some is better off in waves.
  void begin_with_persistent_threads() {
    DeviceCosts costs;
    costs.of(Policy::kPersistentThreads)[kCostOfWork] = 0.1;
    costs.of(Policy::kUberkernel)[kCostOfRun] = 0.0035;
    costs.of(Policy::kUberkernel)[kCostOfWork] = 0.01;
    costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
    use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  }

  // A run begins with persistent threads and stays there, whatever a sample shows.
  void stay_with_persistent_threads() {
    DeviceCosts costs;
    costs.of(Policy::kUberkernel)[kCostOfRun] = 1e9;
    costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
    use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  }

  // Runs chains whose links count themselves, with more and more links until the run changes its
  // policy. A sample can show so little that the run changes back; it is then tried again.
  RunReport run_chains_until_changed(std::uint64_t most_links, const RunOptions& options = {}) {
    DeviceArray<std::uint64_t> sum(*queue, 1);
    std::uint64_t expected = 0;
    int tries = 0;
    for (std::uint64_t links = std::min<std::uint64_t>(most_links, 1 << 9);;) {
      RunHistory::instance().forget();
      TaskList<ChainTasks> roots;
      for (std::uint64_t i = 0; i < kChains; ++i) roots.push(SpawnLink{sum.data(), links - 1});
      const RunReport report = run_tasks(*queue, roots, options);
      EXPECT_EQ(report.tasks(), kChains * links);
      expected += kChains * links;
      EXPECT_EQ(sum.read()[0], expected);
      if (report.switches == 1 || links >= most_links || ++tries == 50) return report;
      if (report.switches == 0) links *= 4;
    }
  }

  static constexpr std::uint64_t kChains = 200;
};

TEST_P(AutoTest, WavesGoOnUnderPersistentThreads) {
  begin_with_waves();
  const RunReport report = run_chains_until_changed(1 << 24);
  EXPECT_EQ(report.switches, 1u);
  EXPECT_EQ(report.policy, Policy::kPersistentThreads);
  EXPECT_GT(report.waves, 0u);
  EXPECT_GT(report.seconds, 0);
}

TEST_P(AutoTest, KernelsPerTypeGoOnUnderPersistentThreads) {
  begin_with_kernels_per_type();
  const RunReport report = run_chains_until_changed(1 << 24);
  EXPECT_EQ(report.switches, 1u);
  EXPECT_EQ(report.policy, Policy::kPersistentThreads);
  EXPECT_GT(report.waves, 0u);
}

TEST_P(AutoTest, PersistentThreadsGoOnInWaves) {
  begin_with_persistent_threads();
  const RunReport report = run_chains_until_changed(1 << 24);
  EXPECT_EQ(report.switches, 1u);
  EXPECT_EQ(report.policy, Policy::kUberkernel);
  EXPECT_GT(report.waves, 0u);
}

TEST_P(AutoTest, WavesThatOpenMoreJoinsThanFitGoOnUnderPersistentThreads) {
  DeviceCosts costs;
  costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1e9;
  costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
  use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  queue = device->make_queue({.join_capacity = 8});
  DeviceArray<std::uint64_t> result(*queue, 1);
  constexpr std::uint32_t kNumber = 14;
  const TaskList<FibonacciTasks> roots(FibonacciRoot{result.data(), kNumber});
  const RunReport report = run_tasks(*queue, roots);
  EXPECT_EQ(result.read()[0], 377u);
  EXPECT_GT(report.waves, 0u);
  // Only GPUs have so little memory for joins.
  const bool is_limited = device->info().warp_width > 1;
  EXPECT_EQ(report.switches, is_limited ? 1u : 0u);
  EXPECT_EQ(report.policy, is_limited ? Policy::kPersistentThreads : Policy::kUberkernel);
}

TEST_P(AutoTest, EachTaskOfARunThatIsChangedRunsOnce) {
  begin_with_waves();
  for (std::size_t items = 1 << 13;; items *= 4) {
    RunHistory::instance().forget();
    DeviceArray<std::uint32_t> runs(*queue, 2 * items);
    TaskList<CountedChainTasks> roots;
    for (std::uint64_t i = 0; i < CountedLink::kChains; ++i) {
      roots.push(CountedLink{{runs.data(), items}, i});
    }
    std::vector<std::uint32_t> expected(2 * items, 0);
    for (std::size_t i = 0; i < items; ++i) {
      expected[i] = 1;
      expected[items + i] = i % 4 == 0 ? 1 : 0;
    }
    const RunReport report = run_tasks(*queue, roots);
    ASSERT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{items, items / 4}));
    ASSERT_EQ(runs.read(), expected);
    if (report.switches > 0) return;
    ASSERT_LT(items, std::size_t{1} << 26) << "no run was changed";
  }
}

TEST_P(AutoTest, EachTaskOfARunThatIsSampledRunsOnce) {
  stay_with_persistent_threads();
  constexpr double kOfTwoSamples = 0.02;
  double seconds = 0;
  for (std::size_t items = 1 << 13; seconds < kOfTwoSamples;
       items = std::min<std::size_t>(4 * items, 1 << 22)) {
    RunHistory::instance().forget();
    DeviceArray<std::uint32_t> runs(*queue, 2 * items);
    TaskList<CountedChainTasks> roots;
    for (std::uint64_t i = 0; i < CountedLink::kChains; ++i) {
      roots.push(CountedLink{{runs.data(), items}, i});
    }
    std::vector<std::uint32_t> expected(2 * items, 0);
    for (std::size_t i = 0; i < items; ++i) {
      expected[i] = 1;
      expected[items + i] = i % 4 == 0 ? 1 : 0;
    }
    const RunClock::time_point begin = RunClock::now();
    const RunReport report = run_tasks(*queue, roots);
    seconds = seconds_between(begin, RunClock::now());
    ASSERT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{items, items / 4}));
    ASSERT_EQ(runs.read(), expected);
    ASSERT_EQ(report.switches, 0u);
    ASSERT_EQ(report.waves, 0u);
  }
}

TEST_P(AutoTest, ARunThatWasChangedShowsTheNextHowToBegin) {
  begin_with_waves();
  const RunReport first = run_chains_until_changed(1 << 24);
  ASSERT_EQ(first.switches, 1u);
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<ChainTasks> roots;
  for (std::uint64_t i = 0; i < kChains; ++i) roots.push(SpawnLink{sum.data(), 3});
  const RunReport next = run_tasks(*queue, roots);
  EXPECT_EQ(next.policy, Policy::kPersistentThreads);
  EXPECT_EQ(next.switches, 0u);
}

// A change would have the host take in all tasks of a GPU.
TEST_P(AutoTest, ARunThatMaySpillLittleIsNotChangedOnAGpu) {
  if (device->info().warp_width == 1) GTEST_SKIP() << "a CPU has the tasks in the host's memory";
  begin_with_waves();
  const RunReport changed = run_chains_until_changed(1 << 24);
  ASSERT_EQ(changed.switches, 1u);
  const std::uint64_t links = changed.tasks() / kChains;
  RunHistory::instance().forget();
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<ChainTasks> roots;
  for (std::uint64_t i = 0; i < kChains; ++i) roots.push(SpawnLink{sum.data(), links - 1});
  EXPECT_EQ(run_tasks(*queue, roots, {.spill_bytes = 1 << 20}).switches, 0u);
  EXPECT_EQ(sum.read()[0], kChains * links);
}

// The deadline counts from the start, and what ran before the change counts too. A sample comes at
// the latest after eight times as many waves as the last.
TEST_P(AutoTest, ADeadlineHoldsOverAChange) {
  begin_with_waves();
  constexpr std::uint64_t kTasksOfAChange = kChains * 8 * 300;
  for (auto deadline = 20ms;; deadline *= 2) {
    RunHistory::instance().forget();
    DeviceArray<std::uint64_t> runs(*queue, 1);
    TaskList<EndlessTasks> roots;
    for (std::uint64_t i = 0; i < kChains; ++i) roots.push(Endless{runs.data()});
    try {
      run_tasks(*queue, roots, {.deadline = deadline, .keep_unfinished = true});
      FAIL() << "it ended";
    } catch (const UnfinishedRun<EndlessTasks>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
      EXPECT_EQ(runs.read()[0], error.tasks_run());
      EXPECT_EQ(error.remaining().size(), kChains);
      if (error.tasks_run() > kTasksOfAChange) return;
    }
  }
}

TEST_P(AutoTest, AFailureAfterAChangeIsThrown) {
  begin_with_waves();
  run_chains_until_changed(1 << 24);
  DeviceArray<std::uint64_t> runs(*queue, 1);
  EXPECT_THROW(run_tasks(*queue, TaskList<FailingTasks>(MayFail{runs.data(), 7})), Error);
  EXPECT_EQ(run_chains_until_changed(64).tasks(), kChains * 64);
}

TEST_P(AutoTest, ARunThatIsRightIsLeftAlone) {
  use_costs(device->info(), std::make_shared<const DeviceCosts>(default_costs(device->info())));
  DeviceArray<std::uint64_t> sum(*queue, 1);
  const RunReport report = run_tasks(*queue, TaskList<FanOutTasks>(FanOut{sum.data(), 100}));
  EXPECT_EQ(report.switches, 0u);
  EXPECT_EQ(report.tasks(), 101u);
}

// Mixed types are so dear in waves here that they are to be sorted, which is dear for one type.
TEST_P(AutoTest, HowTheTypesOfAListAreMixedIsSeenBeforeItsRun) {
  DeviceCosts costs;
  costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1e9;
  costs.of(Policy::kUberkernel)[kCostOfMix] = 8;
  costs.of(Policy::kKernelPerType)[kCostOfType] = 3;
  use_costs(device->info(), std::make_shared<const DeviceCosts>(costs));
  constexpr std::uint32_t kItems = 1000;
  DeviceArray<std::uint32_t> runs(*queue, 1);
  TaskList<CountedFlatTasks> same;
  TaskList<CountedFlatTasks> mixed;
  for (std::uint32_t i = 0; i < kItems; ++i) {
    same.push(FlatItem<4>{runs.data(), {}});
    if (i % 2 == 0) {
      mixed.push(FlatItem<1>{runs.data(), {}});
    } else {
      mixed.push(FlatItem<4>{runs.data(), {}});
    }
  }
  EXPECT_EQ(run_tasks(*queue, mixed).policy, Policy::kKernelPerType);
  EXPECT_EQ(run_tasks(*queue, same).policy, Policy::kUberkernel);
  EXPECT_EQ(runs.read()[0], 2 * kItems);
}

INSTANTIATE_TEST_SUITE_P(Conformance, AutoTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

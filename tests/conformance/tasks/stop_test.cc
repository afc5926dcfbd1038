// SPDX-License-Identifier: Apache-2.0

// Runs that are stopped, by a deadline or on request, under every policy.
//
// Deadlines are of a clock that advances when it is read (counted_clock.h). Runs either never end
// by themselves, and the deadline is doubled until enough tasks have run before it, or have the
// same result whenever they are stopped.
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>
#include <millrace/tests/conformance/tasks/stop_tasks.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <stop_token>
#include <thread>

namespace millrace::conformance {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

template <class Task>
std::vector<std::byte> bytes_of(const Task& task) {
  std::vector<std::byte> bytes(sizeof(Task));
  std::memcpy(bytes.data(), &task, sizeof(Task));
  return bytes;
}

class StopTest : public PolicyTest {
 protected:
  static constexpr std::size_t kChains = 100;

  template <class Set = EndlessTasks, class Root = Endless>
  static TaskList<Set> endless_chains(std::uint64_t* runs) {
    TaskList<Set> roots;
    for (std::size_t i = 0; i < kChains; ++i) roots.push(Root{runs});
    return roots;
  }

  // Returns the error that endless chains throw. If the deadline passes before `least_tasks` tasks
  // have run, they run again with twice the deadline.
  template <class Set = EndlessTasks, class Root = Endless>
  UnfinishedRun<Set> stopped_chains(std::uint64_t* runs, std::uint64_t least_tasks = 1) {
    for (nanoseconds deadline = 5ms;; deadline *= 2) {
      try {
        run_tasks(*queue, endless_chains<Set, Root>(runs),
                  {.policy = policy, .deadline = deadline, .keep_unfinished = true});
      } catch (const UnfinishedRun<Set>& error) {
        if (error.tasks_run() >= least_tasks || deadline > 60s) return error;
      }
    }
  }

  // Expects that the workers took work for all tasks that ran, and that each took last the one of
  // `tasks` that has its type.
  void expect_traces(const RunStopped& error, const std::vector<std::vector<std::byte>>& tasks) {
    // Lanes of a worker that each run one, under persistent threads up to 8 times, and 8 times as
    // often where tasks are short.
    const std::uint64_t most_at_a_time =
        policy == Policy::kPersistentThreads ? std::uint64_t{8} * 8 * 64 : 64;
    const bool is_gpu = device->info().warp_width > 1;
    std::uint64_t heartbeats = 0;
    for (const WorkerTrace& worker : error.workers()) {
      heartbeats += worker.heartbeat;
      ASSERT_LT(worker.last_type, tasks.size());
      EXPECT_TRUE(worker.heartbeat > 0 || worker.last_type == 0);
      // CPUs know of tasks that were running.
      if (worker.last_task.empty() && !(is_gpu && worker.heartbeat > 0)) continue;
      EXPECT_EQ(worker.last_task, tasks[worker.last_type]);
    }
    EXPECT_GE(heartbeats * most_at_a_time, error.tasks_run());
  }

  // Returns the error of endless chains that are stopped on request after a task has run. If the
  // request comes before that, they run again and are left alone for longer.
  RunStopped requested_stop(std::uint64_t* runs) {
    for (std::uint64_t yields = 1;; yields *= 2) {
      std::stop_source stop;
      submit_tasks(*queue, endless_chains(runs), {.policy = policy, .stop = stop.get_token()});
      for (std::uint64_t i = 0; i < yields; ++i) std::this_thread::yield();
      stop.request_stop();
      try {
        queue->wait();
      } catch (const RunStopped& error) {
        if (error.tasks_run() > 0) return error;
      }
    }
  }

  // Runs the roots, or what is left of them, with a stop at a random moment of the first `span`,
  // and so on until nothing is left. Returns how many tasks ran in all.
  template <class Roots>
  std::uint64_t run_with_stops(const Roots& roots, nanoseconds span, std::uint32_t seed) {
    using Set = typename Roots::Set;
    std::mt19937 random(seed);
    std::uint64_t tasks = 0;
    TaskList<Set> rest;
    const auto run_segment = [&](const auto& segment) {
      const nanoseconds delay(
          std::uniform_int_distribution<nanoseconds::rep>(1, span.count())(random));
      span += span / 5;  // The loop then ends.
      try {
        tasks += run_stopped_after(delay, random() % 2 == 0, segment).tasks();
        rest.clear();
      } catch (const UnfinishedRun<Set>& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled);
        EXPECT_EQ(error.tasks_left(), error.remaining().size());
        tasks += error.tasks_run();
        rest = error.remaining();
      }
    };
    run_segment(roots);
    while (!rest.empty()) run_segment(TaskList<Set>(rest));
    return tasks;
  }

  template <class Roots>
  RunReport run_stopped_after(nanoseconds delay, bool by_deadline, const Roots& roots) {
    RunOptions options = {.policy = policy, .keep_unfinished = true};
    if (by_deadline) {
      options.deadline = delay;
      return run_tasks(*queue, roots, options);
    }
    std::stop_source stop;
    options.stop = stop.get_token();
    const std::jthread stopper([&stop, at = RunClock::now() + delay] {
      while (RunClock::now() < at) std::this_thread::yield();
      stop.request_stop();
    });
    return run_tasks(*queue, roots, options);
  }

  // Stops runs of `make_roots(runs)` at random moments. Each task counts once in the array `runs`,
  // which must then be as `expected`.
  template <class MakeRoots>
  void expect_once(const std::vector<std::uint32_t>& expected, const MakeRoots& make_roots) {
    std::uint64_t tasks = 0;
    for (const std::uint32_t count : expected) tasks += count;
    DeviceArray<std::uint32_t> undisturbed(*queue, expected.size());
    const auto begin = RunClock::now();
    const RunReport report =
        run_tasks(*queue, make_roots(undisturbed.data()),
                  {.policy = policy, .deadline = 24h, .keep_unfinished = true});
    const nanoseconds span = RunClock::now() - begin;
    ASSERT_EQ(report.tasks(), tasks);
    for (std::uint32_t seed = 0; seed < scaled(20, 4); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      DeviceArray<std::uint32_t> runs(*queue, expected.size());
      EXPECT_EQ(run_with_stops(make_roots(runs.data()), span, seed), tasks);
      EXPECT_EQ(runs.read(), expected);
    }
  }
};

TEST_P(StopTest, ADeadlineEndsARunThatWouldNotEnd) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  const auto error = stopped_chains(runs.data());
  EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  EXPECT_GT(error.tasks_run(), 0u);
  EXPECT_EQ(error.tasks_by_type(), std::vector<std::uint64_t>{error.tasks_run()});
  EXPECT_NE(std::string(error.what()).find(kStoppedByDeadline), std::string::npos) << error.what();
  const std::string counts =
      std::to_string(error.tasks_run()) + " tasks ran, " + std::to_string(kChains) + " remain";
  EXPECT_NE(std::string(error.what()).find(counts), std::string::npos) << error.what();
}

TEST_P(StopTest, EachChainLeavesItsNextLink) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  EXPECT_EQ(stopped_chains(runs.data()).remaining().size(), kChains);
}

TEST_P(StopTest, TasksOfAStoppedRunHaveDoneTheirWork) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  std::uint64_t tasks = 0;
  for (int i = 0; i < 5; ++i) {
    try {
      run_tasks(*queue, endless_chains(runs.data()), {.policy = policy, .deadline = 2ms});
    } catch (const RunStopped& error) {
      tasks += error.tasks_run();
    }
    EXPECT_EQ(runs.read()[0], tasks);
  }
}

TEST_P(StopTest, WorkersOfAStoppedRunSayWhatTheyWereAt) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  expect_traces(stopped_chains(runs.data(), 10 * kChains), {bytes_of(Endless{runs.data()})});
}

TEST_P(StopTest, WorkersOfAStoppedRunOfTwoTypesSayWhatTheyWereAt) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  const auto error = stopped_chains<EndlessPairTasks, Ping>(runs.data(), 10 * kChains);
  EXPECT_EQ(error.remaining().size(), kChains);
  expect_traces(error, {bytes_of(Ping{runs.data()}), bytes_of(Pong{runs.data(), 7})});
}

TEST_P(StopTest, ARequestEndsARunThatWouldNotEnd) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  const RunStopped error = requested_stop(runs.data());
  EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  EXPECT_NE(std::string(error.what()).find(kStoppedByRequest), std::string::npos);
  EXPECT_EQ(runs.read()[0], error.tasks_run());
}

TEST_P(StopTest, ARequestBeforeTheStartLeavesEverything) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  std::stop_source stop;
  stop.request_stop();
  try {
    run_tasks(*queue, endless_chains(runs.data()),
              {.policy = policy, .stop = stop.get_token(), .keep_unfinished = true});
    FAIL() << "no error was thrown";
  } catch (const UnfinishedRun<EndlessTasks>& error) {
    EXPECT_EQ(error.tasks_run(), 0u);
    EXPECT_EQ(error.remaining().size(), kChains);
  }
  EXPECT_EQ(runs.read()[0], 0u);
}

TEST_P(StopTest, WorkersSayNothingOfTheRunBefore) {
  DeviceArray<std::uint32_t> counts(*queue, 1);
  DeviceArray<std::uint64_t> damaged(*queue, 1);
  TaskList<MarkTasks> marks;
  for (std::uint64_t i = 0; i < scaled(100'000, 3'000); ++i) {
    marks.push(LargeMark::make(counts.data(), damaged.data(), 0));
  }
  std::stop_source stop;
  run_tasks(*queue, marks, {.policy = policy, .stop = stop.get_token()});
  stop.request_stop();
  const TaskList<CountedFlatTasks> items(FlatItem<1>{counts.data(), {}});
  try {
    run_tasks(*queue, items, {.policy = policy, .stop = stop.get_token(), .keep_unfinished = true});
    FAIL() << "no error was thrown";
  } catch (const UnfinishedRun<CountedFlatTasks>& error) {
    EXPECT_EQ(error.remaining().size(), 1u);
    for (const WorkerTrace& worker : error.workers()) EXPECT_EQ(worker.heartbeat, 0u);
  }
}

TEST_P(StopTest, TasksAreHandedBackOnlyOnRequest) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  try {
    run_tasks(*queue, endless_chains(runs.data()), {.policy = policy, .deadline = 2ms});
    FAIL() << "no error was thrown";
  } catch (const UnfinishedRun<EndlessTasks>&) {
    FAIL() << "not requested";
  } catch (const RunStopped& error) {
    if (error.tasks_left()) {
      EXPECT_EQ(*error.tasks_left(), kChains);
    }
  }
}

TEST_P(StopTest, ARunThatEndsBeforeItsDeadlineIsUntouched) {
  std::stop_source stop;
  for (const nanoseconds deadline : {nanoseconds(24h), nanoseconds::max()}) {
    DeviceArray<std::uint64_t> sum(*queue, 1);
    const RunReport report = run_tasks(*queue, TaskList<FanOutTasks>(FanOut{sum.data(), 1000}),
                                       {.policy = policy,
                                        .deadline = deadline,
                                        .stop = stop.get_token(),
                                        .keep_unfinished = true});
    EXPECT_EQ(sum.read()[0], 1000u * 999 / 2);
    EXPECT_EQ(report.tasks(), 1001u);
  }
}

TEST_P(StopTest, ANegativeDeadlineIsRejected) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  try {
    run_tasks(*queue, endless_chains(runs.data()), {.policy = policy, .deadline = -1ns});
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  }
}

TEST_P(StopTest, TheQueueWorksOnAfterAStop) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  DeviceArray<std::uint64_t> sum(*queue, 1);
  const TaskList<FanOutTasks> fan_out(FanOut{sum.data(), 100});
  for (std::uint64_t round = 1; round <= 3; ++round) {
    submit_tasks(*queue, endless_chains(runs.data()), {.policy = policy, .deadline = 1ms});
    submit_tasks(*queue, fan_out, {.policy = policy});  // Skipped: it comes behind a failure.
    EXPECT_THROW(queue->wait(), RunStopped);
    EXPECT_EQ(run_tasks(*queue, fan_out, {.policy = policy}).tasks(), 101u);
    EXPECT_EQ(sum.read()[0], round * 100 * 99 / 2);
  }
}

TEST_P(StopTest, AListStoppedAtAnyMomentIsRunOnce) {
  const std::size_t items = scaled(50'000, 2'000);
  expect_once(std::vector<std::uint32_t>(items, 1), [items](std::uint32_t* runs) {
    TaskList<CountedTasks> roots;
    for (std::size_t i = 0; i < items; ++i) roots.push(CountedLeaf{runs + i});
    return roots;
  });
}

TEST_P(StopTest, ATreeStoppedAtAnyMomentIsRunOnce) {
  const std::size_t items = scaled(50'000, 2'000);
  expect_once(std::vector<std::uint32_t>(items, 1), [items](std::uint32_t* runs) {
    return TaskList<CountedTasks>(CountedNode{{runs, items}, 0});
  });
}

TEST_P(StopTest, AForestOfOneTypeStoppedAtAnyMomentIsRunOnce) {
  std::vector<std::uint32_t> expected(scaled(50'000, 4'000), 1);
  for (std::uint64_t i = CountedTwig::kRoots; i < expected.size(); ++i) {
    expected[i] = CountedTwig::is_empty(i) ? 0 : expected[CountedTwig::parent(i)];
  }
  expect_once(expected, [&expected](std::uint32_t* runs) {
    TaskList<CountedTwigTasks> roots;
    for (std::uint64_t i = 0; i < CountedTwig::kRoots; ++i) {
      roots.push(CountedTwig{{runs, expected.size()}, i});
    }
    return roots;
  });
}

TEST_P(StopTest, AnIndexedQueueStoppedAtAnyMomentIsRunOnce) {
  const std::size_t items = scaled(50'000, 1'000);  // Half of them are of a warp's width.
  std::vector<TaskTag> host_tags(items);
  std::vector<std::uint32_t> expected(2 * items);
  for (std::size_t i = 0; i < items; ++i) {
    host_tags[i] = splitmix64(i) % 2;
    expected[i] = 1;
    expected[items + i] = i % 4 == 0 ? 1 : 0;
  }
  Buffer<TaskTag> tags(device, MemorySpace::kDevice, items);
  copy(*queue, tags.span(), BufferSpan<const TaskTag>(std::span<const TaskTag>(host_tags)));
  expect_once(expected, [&](std::uint32_t* runs) {
    return IndexedTasks<CountedIndexedTasks>{
        .tags = tags.data(), .count = items, .arguments = {runs, items}};
  });
}

INSTANTIATE_TEST_SUITE_P(Conformance, StopTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance

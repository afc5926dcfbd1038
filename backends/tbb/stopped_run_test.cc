// SPDX-License-Identifier: Apache-2.0

// Runs that one of their tasks stops, at a point that the test chooses.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// Items that are counted, many at once by the batch body and singly by the tasks.
struct CountedArguments {
  std::vector<std::atomic<int>>* runs;
  std::vector<std::atomic<int>>* batch_runs;
  std::stop_source* stop;
  std::size_t stop_at;
};

template <int kIndex>
struct Counted {
  static constexpr bool kSpawns = false;
  CountedArguments arguments;
  std::size_t index;

  template <class Context>
  void operator()(Context&) const {
    ++(*arguments.runs)[index];
  }
};

struct CountedTasks : TaskSet<Counted<0>, Counted<1>> {
  using Arguments = CountedArguments;
};

}  // namespace
}  // namespace millrace::tbb_backend

namespace millrace::cpu {

template <>
struct BatchBody<tbb_backend::CountedTasks> {
  static constexpr bool kDefined = true;

  static void run(const IndexedTasks<tbb_backend::CountedTasks>& items, const Batch& batch) {
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
      const std::size_t item = batch.order == nullptr ? i : batch.order[i];
      ++(*items.arguments.batch_runs)[item];
      if (item == items.arguments.stop_at) items.arguments.stop->request_stop();
    }
  }
};

}  // namespace millrace::cpu

namespace millrace::tbb_backend {
namespace {

const cpu::RegisterTasks<CountedTasks> registered;

constexpr int kLevels = 11;
constexpr int kTasks = (1 << (kLevels + 1)) - 1;

class StoppedRunTest : public testing::TestWithParam<Policy> {
 protected:
  // Returns a function that counts the nodes of a tree and stops the run at node `stop_at`.
  HostFunction counting(int stop_at) {
    return [this, stop_at](int index) {
      ++runs[index];
      if (index == stop_at) stop.request_stop();
    };
  }

  bool each_ran_once() const {
    return std::all_of(runs.begin() + 1, runs.end(), [](const auto& count) { return count == 1; });
  }

  RunOptions options(bool keep_unfinished) {
    return {.policy = GetParam(), .stop = stop.get_token(), .keep_unfinished = keep_unfinished};
  }

  // Runs the tasks and, if they are stopped, those that remain. Returns how many ran in total.
  template <class Roots>
  std::uint64_t run_and_finish(Queue& queue, const Roots& roots) {
    using Set = typename Roots::Set;
    was_stopped = false;
    try {
      return run_tasks(queue, roots, options(true)).tasks();
    } catch (const UnfinishedRun<Set>& error) {
      was_stopped = true;
      ran_before_stop = error.tasks_by_type();
      EXPECT_EQ(error.tasks_left(), error.remaining().size());
      return error.tasks_run() +
             run_tasks(queue, error.remaining(), {.policy = GetParam()}).tasks();
    }
  }

  // With one worker, an early stop always leaves tasks.
  std::unique_ptr<Queue> one_worker = open_device("tbb")->make_queue({.concurrency = 1});
  std::unique_ptr<Queue> workers = open_device("tbb")->make_queue({.concurrency = 4});
  std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(kTasks + 1);
  std::stop_source stop;
  bool was_stopped = false;
  std::vector<std::uint64_t> ran_before_stop;
};

INSTANTIATE_TEST_SUITE_P(Tbb, StoppedRunTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(StoppedRunTest, WhatRemainsOfATreeIsWhatDidNotRun) {
  for (const int stop_at : {1, 2, 3, 100, 1000, 1500, 2047}) {
    for (Queue* queue : {one_worker.get(), workers.get()}) {
      for (auto& count : runs) count = 0;
      stop = std::stop_source();
      const HostFunction function = counting(stop_at);
      EXPECT_EQ(run_and_finish(*queue, host_tree(function, kLevels)), std::uint64_t{kTasks});
      EXPECT_TRUE(was_stopped);  // At least the children of the node are left.
      EXPECT_TRUE(each_ran_once()) << stop_at;
    }
  }
}

TEST_P(StoppedRunTest, WhatRemainsOfAListIsWhatDidNotRun) {
  for (const int stop_at : {0, 1, 700, 3000, kTasks / 2}) {
    for (Queue* queue : {one_worker.get(), workers.get()}) {
      for (auto& count : runs) count = 0;
      stop = std::stop_source();
      const HostFunction function = counting(stop_at);
      EXPECT_EQ(run_and_finish(*queue, host_list(function, kTasks + 1)), std::uint64_t{kTasks + 1});
      EXPECT_TRUE(was_stopped || queue == workers.get());
      EXPECT_TRUE(each_ran_once()) << stop_at;
      EXPECT_EQ(runs[0], 1);
    }
  }
}

TEST_P(StoppedRunTest, TheFirstTasksOfAListAreRunOneByOne) {
  const HostFunction function = [this](int index) {
    ++runs[index];
    stop.request_stop();
  };
  EXPECT_THROW(run_tasks(*one_worker, host_list(function, kTasks + 1), options(false)), RunStopped);
  EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), 1);
}

TEST_P(StoppedRunTest, WithoutKeepingTheTasksAreCounted) {
  const HostFunction function = counting(0);
  try {
    run_tasks(*one_worker, host_list(function, kTasks + 1), options(false));
    FAIL() << "no error was thrown";
  } catch (const UnfinishedRun<HostTasks>&) {
    FAIL() << "the tasks were kept";
  } catch (const RunStopped& error) {
    EXPECT_EQ(error.tasks_run() + *error.tasks_left(), static_cast<std::uint64_t>(kTasks + 1));
  }
}

TEST_P(StoppedRunTest, BatchBodiesAreStoppedToo) {
  constexpr std::size_t kItems = 300'000;
  std::vector<TaskTag> tags(kItems);
  for (std::size_t i = 0; i < kItems; ++i) tags[i] = i % 3 == 0;
  std::vector<std::atomic<int>> counts(kItems);
  std::vector<std::atomic<int>> batch_counts(kItems);
  const IndexedTasks<CountedTasks> roots{
      .tags = tags.data(), .count = kItems, .arguments = {&counts, &batch_counts, &stop, 10}};
  EXPECT_EQ(run_and_finish(*one_worker, roots), kItems);
  ASSERT_TRUE(was_stopped);
  std::vector<std::uint64_t> by_type(2);
  for (std::size_t i = 0; i < kItems; ++i) {
    by_type[tags[i]] += static_cast<std::uint64_t>(batch_counts[i]);
  }
  EXPECT_EQ(ran_before_stop, by_type);
  for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(counts[i] + batch_counts[i], 1) << i;
}

TEST_P(StoppedRunTest, AFailureComesBeforeAStop) {
  const HostFunction function = [this](int) {
    stop.request_stop();
    throw std::runtime_error("dry");
  };
  try {
    run_tasks(*workers, host_list(function, 100), options(true));
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
  }
}

TEST_P(StoppedRunTest, AStopThatLeavesNothingUndoneIsNone) {
  const HostFunction function = [this](int) { stop.request_stop(); };
  EXPECT_EQ(run_tasks(*workers, host_list(function, 1), options(true)).tasks(), 1u);
}

TEST_P(StoppedRunTest, TheWorkerThatRanTheLastTaskSaysSo) {
  const HostFunction function = counting(300);
  try {
    run_tasks(*one_worker, host_tree(function, kLevels), options(false));
    FAIL() << "no error was thrown";
  } catch (const RunStopped& error) {
    const WorkerTrace* running = nullptr;
    for (const WorkerTrace& worker : error.workers()) {
      if (worker.is_running) running = &worker;
    }
    ASSERT_NE(running, nullptr);
    EXPECT_EQ(running->heartbeat, error.tasks_run());
    EXPECT_EQ(running->last_type, HostTasks::tag_of<HostNode>());
    ASSERT_EQ(running->last_task.size(), sizeof(HostNode));
    HostNode last;
    std::memcpy(&last, running->last_task.data(), sizeof last);
    EXPECT_EQ(last.function, &function);
    EXPECT_EQ(runs[last.index], 1);
  }
}

}  // namespace
}  // namespace millrace::tbb_backend

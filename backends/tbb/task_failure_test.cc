// SPDX-License-Identifier: Apache-2.0

// Tests of C++ exceptions thrown by tasks.
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace millrace::tbb_backend {
namespace {

constexpr int kLevels = 9;
constexpr int kTasks = (1 << (kLevels + 1)) - 1;

class TaskFailureTest : public testing::TestWithParam<Policy> {
 protected:
  RunReport run(const HostFunction& function) {
    return run_tasks(*queue, host_tree(function, kLevels), {.policy = GetParam()});
  }

  // Returns the error that a run throws when node 37 of the tree calls `fail`.
  Error error_of(const std::function<void()>& fail) {
    const HostFunction function = [&](int index) {
      if (index == 37) fail();
    };
    try {
      run(function);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {ErrorCode::kInternal, ""};
  }

  std::shared_ptr<Device> device = open_device("tbb");
  std::unique_ptr<Queue> queue = device->make_queue();
};

INSTANTIATE_TEST_SUITE_P(Tbb, TaskFailureTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(TaskFailureTest, AStandardExceptionIsATaskFailureWithItsWords) {
  const Error error = error_of([] { throw std::runtime_error("the mill is dry"); });
  EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
  EXPECT_NE(std::string(error.what()).find("the mill is dry"), std::string::npos);
  EXPECT_EQ(error.detail(), 0);
}

TEST_P(TaskFailureTest, AnErrorPassesThrough) {
  const Error error = error_of([] { throw Error(ErrorCode::kIo, "no more water", 12); });
  EXPECT_EQ(error.code(), ErrorCode::kIo);
  EXPECT_STREQ(error.what(), "no more water");
  EXPECT_EQ(error.detail(), 12);
  EXPECT_NE(std::string(error.where().file_name()).find("task_failure_test"), std::string::npos);
}

TEST_P(TaskFailureTest, AnythingElseIsATaskFailureToo) {
  EXPECT_EQ(error_of([] { throw 42; }).code(), ErrorCode::kTaskFailed);
}

TEST_P(TaskFailureTest, NoMemoryIsOutOfMemory) {
  EXPECT_EQ(error_of([] { throw std::bad_alloc(); }).code(), ErrorCode::kOutOfMemory);
}

TEST_P(TaskFailureTest, TheNextRunOfTheQueueWorks) {
  for (int round = 0; round < 20; ++round) {
    error_of([] { throw std::runtime_error("once more"); });
    std::atomic<int> calls = 0;
    const HostFunction count = [&](int) { ++calls; };
    EXPECT_EQ(run(count).tasks(), static_cast<std::uint64_t>(kTasks));
    EXPECT_EQ(calls, kTasks);
  }
}

TEST_P(TaskFailureTest, OfManyOneIsThrownAndTheOthersAreDropped) {
  std::atomic<int> thrown = 0;
  const HostFunction fail = [&](int index) {
    if (index < 256) return;  // The last levels have indices 256 and more.
    ++thrown;
    throw std::runtime_error("node " + std::to_string(index));
  };
  EXPECT_THROW(run(fail), Error);
  EXPECT_GE(thrown, 1);
  // One per thread if all fail at once.
  EXPECT_LE(thrown, queue->device().info().compute_units + 1);
  EXPECT_NO_THROW(queue->wait());
}

// Some tasks throw. Each failed run hands back what it has not started, and the next one runs that.
TEST_P(TaskFailureTest, WhatHasNotStartedIsHandedBack) {
  const auto throws = [](int index) { return index % 41 == 40; };
  for (const bool is_list : {false, true}) {
    std::vector<std::atomic<int>> calls(kTasks + 1);
    const HostFunction function = [&](int index) {
      ++calls[index];
      if (throws(index)) throw std::runtime_error("node " + std::to_string(index));
    };
    TaskList<HostTasks> rest =
        is_list ? host_list(function, kTasks + 1) : host_tree(function, kLevels);
    std::uint64_t tasks = 0;
    int failures = 0;
    while (!rest.empty()) {
      try {
        tasks += run_tasks(*queue, rest, {.policy = GetParam(), .keep_unfinished = true}).tasks();
        rest.clear();
      } catch (const FailedRun<HostTasks>& failed) {
        ++failures;
        EXPECT_EQ(failed.code(), ErrorCode::kTaskFailed);
        EXPECT_NE(std::string(failed.failure().what()).find("threw: node"), std::string::npos);
        EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
        tasks += failed.tasks_run();
        rest = failed.remaining();
      }
    }
    EXPECT_GE(failures, 2);
    // A node runs once unless one above it has thrown.
    std::uint64_t expected = 0;
    for (int index = is_list ? 0 : 1; index <= kTasks; ++index) {
      bool runs = true;
      for (int above = index / 2; !is_list && above > 0; above /= 2) runs = runs && !throws(above);
      EXPECT_EQ(calls[index], runs ? 1 : 0) << "node " << index;
      expected += runs ? 1 : 0;
    }
    EXPECT_EQ(tasks, expected);
  }
}

TEST_P(TaskFailureTest, NothingIsHandedBackUnrequestedOrAfterAMisuse) {
  const HostFunction fail = [](int) { throw std::runtime_error("once"); };
  try {
    run(fail);
    ADD_FAILURE() << "no error was thrown";
  } catch (const RunFailed&) {
    ADD_FAILURE() << "not requested";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
  }
  const HostFunction misuse = [](int) { throw Error(ErrorCode::kInvalidArgument, "wrong"); };
  try {
    run_tasks(*queue, host_tree(misuse, kLevels), {.policy = GetParam(), .keep_unfinished = true});
    ADD_FAILURE() << "no error was thrown";
  } catch (const RunFailed&) {
    ADD_FAILURE() << "what is left may be damaged";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  }
}

TEST_P(TaskFailureTest, AFailedTaskSpawnsNothing) {
  std::atomic<int> calls = 0;
  const HostFunction fail = [&](int index) {
    ++calls;
    throw std::runtime_error("node " + std::to_string(index));
  };
  EXPECT_THROW(run(fail), Error);
  EXPECT_EQ(calls, 1);
}

TEST_P(TaskFailureTest, WhatIsInFlightEndsBeforeTheErrorIsThrown) {
  std::atomic<int> inside = 0;
  const HostFunction fail = [&](int index) {
    ++inside;
    spin(1000);
    --inside;
    if (index % 50 == 49) throw std::runtime_error("enough");
  };
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(run(fail), Error);
    EXPECT_EQ(inside, 0);
  }
}

TEST_P(TaskFailureTest, WorkBehindAFailedRunIsSkippedUntilTheErrorIsThrown) {
  std::atomic<int> calls = 0;
  const HostFunction fail = [](int) { throw std::runtime_error("stop here"); };
  const HostFunction count = [&](int) { ++calls; };
  submit_tasks(*queue, host_list(fail, 1), {.policy = GetParam()});
  submit_tasks(*queue, host_list(count, 10), {.policy = GetParam()});
  EXPECT_THROW(queue->wait(), Error);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(run_tasks(*queue, host_list(count, 10), {.policy = GetParam()}).tasks(), 10u);
  EXPECT_EQ(calls, 10);
}

TEST_P(TaskFailureTest, NoThreadTakesARunThatFailedForOneThatWorked) {
  // Each error is thrown in one of the waiting threads; the other must not report success.
  std::atomic<int> wrong = 0;
  std::atomic<int> errors = 0;
  const auto use = [&](bool failing) {
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> calls = 0;
      const HostFunction function = [&](int) {
        if (failing) throw std::runtime_error("on purpose");
        ++calls;
      };
      try {
        run_tasks(*queue, host_list(function, 10), {.policy = GetParam()});
        if (calls != 10) ++wrong;
      } catch (const Error&) {
        ++errors;
      }
    }
  };
  std::thread other(use, true);
  use(false);
  other.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(errors, 200);
}

}  // namespace
}  // namespace millrace::tbb_backend

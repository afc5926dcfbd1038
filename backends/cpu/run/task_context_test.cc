// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/task_context.h>

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace millrace::cpu {
namespace {

// A task without work; the tests call the context themselves.
template <std::size_t kIndex, std::size_t kBytes>
struct Empty {
  static constexpr std::size_t kScratchBytes = kBytes;
  template <class Context>
  void operator()(Context&) const {}
};
using First = Empty<0, 64>;
using Second = Empty<1, 16>;
struct Quiet : Empty<2, 0> {
  static constexpr bool kSpawns = false;
};
struct Throwing {
  template <class Context>
  void operator()(Context&) const {
    throw std::runtime_error("dry");
  }
};
using Set = TaskSet<First, Second, Quiet, Throwing>;

struct TestWorker {
  WorkerState<Set> state;
  int spawned = 0;

  template <class T>
  void spawn(const T&) {
    ++spawned;
  }
};
using Context = TaskContext<Set, TestWorker>;

class TaskContextTest : public testing::Test {
 protected:
  RunStatus status;
  TestWorker worker;
};

TEST_F(TaskContextTest, CountsTasksByType) {
  run_burst<Set>(worker, status, [](auto& context) {
    for (int i = 0; i < 3; ++i) context.run(First{});
    context.run(Second{});
  });
  EXPECT_EQ(worker.state.tasks_run, (std::array<std::uint64_t, 4>{3, 1, 0, 0}));
}

TEST_F(TaskContextTest, SumsAreThereAfterTheBurstAndTheFlush) {
  std::int32_t i32 = 0;
  double f64[2] = {};
  run_burst<Set>(worker, status, [&](auto& context) {
    for (int i = 0; i < 10; ++i) {
      context.add(&i32, i);
      context.add(&f64[i % 2], 0.5);
    }
  });
  worker.state.adds.flush();
  EXPECT_EQ(i32, 45);
  EXPECT_EQ(f64[0], 2.5);
  EXPECT_EQ(f64[1], 2.5);
}

TEST_F(TaskContextTest, SumsThatLeaveTheRangeWrapAround) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  run_burst<Set>(worker, status, [&](auto& context) {
    context.add(&sum, kMax);
    context.add(&sum, kMax);
    context.add(&sum, 3);
  });
  worker.state.adds.flush();
  EXPECT_EQ(sum, 1);
}

TEST_F(TaskContextTest, ScratchIsAlignedAndDisjoint) {
  Context context(worker, status);
  auto* const flag = context.scratch<char>(1);
  auto* const words = context.scratch<std::uint64_t>(3);
  auto* const rest = context.scratch<char>(32);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(words) % alignof(std::uint64_t), 0u);
  EXPECT_GT(reinterpret_cast<char*>(words), flag);
  EXPECT_EQ(rest, reinterpret_cast<char*>(words + 3));
  EXPECT_THROW(context.scratch<char>(1), Error);
  context.finish();
}

TEST_F(TaskContextTest, ScratchStartsAnewWithEachTask) {
  Context context(worker, status);
  char* const first = context.scratch<char>(64);
  context.run(First{});
  EXPECT_EQ(context.scratch<char>(64), first);
  context.finish();
  EXPECT_EQ(worker.state.scratch_in_use, 0u);
}

TEST_F(TaskContextTest, AbsurdAmountsOfScratchAreRejected) {
  Context context(worker, status);
  EXPECT_THROW(context.scratch<int>(17), Error);
  EXPECT_THROW(context.scratch<int>(std::numeric_limits<std::size_t>::max()), Error);
  EXPECT_THROW(context.scratch<int>(std::numeric_limits<std::size_t>::max() / 4 + 1), Error);
  EXPECT_NE(context.scratch<int>(16), nullptr);
  context.finish();
}

TEST_F(TaskContextTest, EachTypeHasItsOwnScratch) {
  Context context(worker, status);
  context.run(Second{});
  EXPECT_THROW(context.scratch<char>(17), Error);
  EXPECT_NE(context.scratch<char>(16), nullptr);
  context.finish();
}

TEST_F(TaskContextTest, ATaskRunInTheMiddleOfAnotherHasItsOwnScratch) {
  Context outer(worker, status);
  char* const outer_scratch = outer.scratch<char>(64);
  char* inner_scratch = nullptr;
  run_burst<Set>(worker, status,
                 [&](auto& inner) { inner_scratch = inner.template scratch<char>(64); });
  EXPECT_NE(inner_scratch, outer_scratch);
  EXPECT_EQ(worker.state.scratch_in_use, 1u);
  outer.finish();
  EXPECT_EQ(worker.state.scratch_in_use, 0u);
}

TEST_F(TaskContextTest, ABurstThatThrowsStopsTheRunAndGivesBackItsScratch) {
  run_burst<Set>(worker, status, [](auto& context) {
    context.run(Second{});
    context.template scratch<char>(1);
    throw std::runtime_error("dry");
  });
  EXPECT_TRUE(status.stopped());
  EXPECT_EQ(worker.state.scratch_in_use, 0u);
  try {
    status.rethrow();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
    EXPECT_STREQ(error.what(), "a task of type 1 of its set threw: dry");
  }
}

TEST_F(TaskContextTest, ATaskThatThrowsStopsTheRunAndCountsAsRun) {
  Context context(worker, status);
  context.run(Throwing{});
  EXPECT_TRUE(context.failed());
  context.finish();
  EXPECT_EQ(worker.state.tasks_run, (std::array<std::uint64_t, 4>{0, 0, 0, 1}));
  try {
    status.rethrow();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a task of type 3 of its set threw: dry");
  }
}

TEST_F(TaskContextTest, FailingStopsTheRunWithTheFirstCode) {
  Context context(worker, status);
  EXPECT_FALSE(context.failed());
  context.fail(7);
  context.fail(8);
  EXPECT_TRUE(context.failed());
  EXPECT_TRUE(status.stopped());
  context.finish();
  try {
    status.rethrow();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), 7);
  }
}

TEST_F(TaskContextTest, SpawnedTasksAreTheWorkers) {
  Context context(worker, status);
  context.spawn(First{});
  context.spawn(Second{});
  context.finish();
  EXPECT_EQ(worker.spawned, 2);
}

TEST_F(TaskContextTest, ATypeThatSaysItNeverSpawnsIsHeldToIt) {
  Context context(worker, status);
  context.run(Quiet{});
  EXPECT_THROW(context.spawn(First{}), Error);
  context.run(First{});
  context.spawn(First{});
  context.finish();
  EXPECT_EQ(worker.spawned, 1);
}

}  // namespace
}  // namespace millrace::cpu

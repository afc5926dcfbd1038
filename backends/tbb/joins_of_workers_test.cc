// SPDX-License-Identifier: Apache-2.0

// Tests that no arrival at a join is lost if two workers arrive there at the same time, and that
// its continuation observes the values of both. ThreadSanitizer reports a missing order.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/host/pause_core.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// Memory that the tasks of a run share. Accesses of the counts are relaxed, so they order nothing.
struct Progress {
  std::atomic<std::uint32_t> begun = 0;  // Tasks that have begun.
  std::atomic<std::uint32_t> lent = 0;
  std::atomic<std::uint32_t> used = 0;
  std::uint64_t sum = 0;

  static void count(std::atomic<std::uint32_t>& count) {
    count.fetch_add(1, std::memory_order_relaxed);
  }
  // Does not wait for ever, because the task that counts may run later on this worker.
  static void wait_for(const std::atomic<std::uint32_t>& count, std::uint32_t least) {
    for (int i = 0; i < 50'000 && count.load(std::memory_order_relaxed) < least; ++i) {
      std::this_thread::yield();
    }
  }
};

RunReport run_on_two(const auto& roots) {
  const auto queue = open_device("tbb")->make_queue({.concurrency = 2});
  return run_tasks(*queue, roots, {.policy = Policy::kPersistentThreads});
}

// A round has two tasks that begin before either arrives, so they run on two workers. One of them
// gets there by a steal, or is handed to a worker that waits.
struct ArriveInRound {
  Join<std::uint64_t> round;
  Progress* progress;
  std::uint32_t begun;  // Tasks that begin up to the end of this round.
  std::uint32_t value;

  template <class Context>
  void operator()(Context& context) const {
    Progress::count(progress->begun);
    Progress::wait_for(progress->begun, begun);
    context.arrive(round, value);
  }
};

struct EndRound {
  static constexpr std::uint32_t kJoins = 1;
  Progress* progress;
  std::uint32_t round;
  std::uint32_t rounds;
  std::uint64_t values[2];

  template <class Context>
  void operator()(Context& context) const {
    progress->sum += values[0] + values[1];
    if (round == rounds) return;
    // Rounds differ in how far the other worker has come when the next tasks are there.
    for (std::uint32_t i = 0; i < 2 * (round % 50); ++i) pause_core();
    const auto next = context.open_join(2, EndRound{progress, round + 1, rounds, {}});
    const std::uint32_t begun = 2 * (round + 1);
    context.spawn(ArriveInRound{next.to(&EndRound::values, 0), progress, begun, 3});
    context.spawn(ArriveInRound{next.to(&EndRound::values, 1), progress, begun, 40});
  }
};
using RoundTasks = TaskSet<EndRound, ArriveInRound>;
const cpu::RegisterTasks<RoundTasks> registered_rounds;

TEST(JoinsOfWorkers, CountAndObserveTheArrivalsOfBoth) {
  constexpr std::uint32_t kRounds = 1000;
  Progress progress;
  const RunReport report = run_on_two(TaskList<RoundTasks>(EndRound{&progress, 0, kRounds, {}}));
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{kRounds + 1, 2 * kRounds}));
  EXPECT_EQ(progress.sum, 43u * kRounds);
}

// The lender opens a join of two arrivals, and lends it to the task of the other worker as a value.
// The borrower arrives first, then the lender.
struct EndLoan {
  Progress* progress;
  std::uint64_t values[2];

  template <class Context>
  void operator()(Context&) const {
    progress->sum += values[0] + values[1];
  }
};

struct UseLoan {
  Progress* progress;
  Join<std::uint64_t> loan;

  template <class Context>
  void operator()(Context& context) const {
    context.arrive(loan, 3);
    Progress::count(progress->used);
  }
};

struct Lender {
  static constexpr std::uint32_t kJoins = 1;
  Join<Join<std::uint64_t>> borrower;
  Progress* progress;

  template <class Context>
  void operator()(Context& context) const {
    Progress::count(progress->begun);
    Progress::wait_for(progress->begun, 2);
    const auto loan = context.open_join(2, EndLoan{progress, {}});
    context.arrive(borrower, loan.to(&EndLoan::values, 0));
    Progress::count(progress->lent);
    Progress::wait_for(progress->used, 1);
    context.arrive(loan.to(&EndLoan::values, 1), 40);
  }
};

struct Borrower {
  Join<> use;
  Progress* progress;

  template <class Context>
  void operator()(Context& context) const {
    Progress::count(progress->begun);
    Progress::wait_for(progress->begun, 2);
    Progress::wait_for(progress->lent, 1);
    context.arrive(use);
  }
};

struct BeginLoan {
  static constexpr std::uint32_t kJoins = 1;
  Progress* progress;

  template <class Context>
  void operator()(Context& context) const {
    const auto use = context.open_join(2, UseLoan{progress, {}});
    context.spawn(Lender{use.to(&UseLoan::loan), progress});
    context.spawn(Borrower{use, progress});
  }
};
using LoanTasks = TaskSet<BeginLoan, Lender, Borrower, UseLoan, EndLoan>;
const cpu::RegisterTasks<LoanTasks> registered_loans;

TEST(JoinsOfWorkers, CountAndObserveTheArrivalsOfTheLenderAndTheBorrower) {
  for (int run = 0; run < 20; ++run) {
    Progress progress;
    const RunReport report = run_on_two(TaskList<LoanTasks>(BeginLoan{&progress}));
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));
    EXPECT_EQ(progress.sum, 43u);
  }
}

}  // namespace
}  // namespace millrace::tbb_backend

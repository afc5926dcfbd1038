// SPDX-License-Identifier: Apache-2.0

// Tests of tasks that run inside those that spawn them, and of joins that one worker knows.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// The calls of one thread that are inside each other.
thread_local int calls_inside = 0;
thread_local std::uintptr_t outermost_call = 0;

struct Calls {
  std::atomic<int> deepest = 0;
  std::atomic<std::uint64_t> most_stack = 0;  // Bytes.
  int throwing = -1;                          // The call that throws.
  std::atomic<bool> has_thrown = false;
  std::atomic<int> after_throw = 0;  // Calls that have begun since.

  void enter(int index) {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (++calls_inside == 1) outermost_call = here;
    raise(deepest, calls_inside);
    raise(most_stack, std::uint64_t{outermost_call - here});
    if (has_thrown.load()) ++after_throw;
    if (index == throwing) {
      has_thrown = true;
      --calls_inside;
      throw std::runtime_error("call " + std::to_string(index));
    }
  }
  void leave() { --calls_inside; }

 private:
  template <class T>
  static void raise(std::atomic<T>& most, T value) {
    T known = most.load();
    while (known < value && !most.compare_exchange_weak(known, value)) {
    }
  }
};

// Counts the leaves of a binary tree whose nodes are numbered as in a heap.
struct LeafSum {
  Join<std::uint64_t> parent;
  std::uint64_t left, right;

  template <class Context>
  void operator()(Context& context) const {
    context.arrive(parent, left + right);
  }
};

struct LeafCount {
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  Calls* calls;
  int index;
  int levels;

  template <class Context>
  void operator()(Context& context) const {
    calls->enter(index);
    if (levels == 0) {
      context.arrive(parent, 1);
    } else {
      const auto sum = context.open_join(2, LeafSum{parent, 0, 0});
      context.spawn(LeafCount{sum.to(&LeafSum::left), calls, 2 * index, levels - 1});
      context.spawn(LeafCount{sum.to(&LeafSum::right), calls, 2 * index + 1, levels - 1});
    }
    calls->leave();
  }
};

struct LeafAnswer {
  std::uint64_t* result;
  std::uint64_t leaves;

  template <class Context>
  void operator()(Context&) const {
    *result = leaves;
  }
};

struct LeafRoot {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* result;
  Calls* calls;
  int levels;

  template <class Context>
  void operator()(Context& context) const {
    const auto join = context.open_join(1, LeafAnswer{result, 0});
    context.spawn(LeafCount{join.to(&LeafAnswer::leaves), calls, 1, levels});
  }
};

using LeafTasks = TaskSet<LeafRoot, LeafCount, LeafSum, LeafAnswer>;
const cpu::RegisterTasks<LeafTasks> registered_leaves;

class NestedTaskTest : public testing::Test {
 protected:
  std::uint64_t count_leaves(Calls& calls, int levels, int workers) {
    const auto queue = device->make_queue({.concurrency = workers});
    std::uint64_t leaves = 0;
    run_tasks(*queue, TaskList<LeafTasks>(LeafRoot{&leaves, &calls, levels}),
              {.policy = Policy::kPersistentThreads});
    return leaves;
  }

  std::shared_ptr<Device> device = open_device("tbb");
};

TEST_F(NestedTaskTest, SpawnedTasksRunInsideTheirSpawnerOnLittleStack) {
  for (const int workers : {1, 2, 4}) {
    Calls calls;
    EXPECT_EQ(count_leaves(calls, 18, workers), 1u << 18);
    EXPECT_GT(calls.deepest.load(), 1) << workers;
    EXPECT_LT(calls.most_stack.load(), 256u << 10);
  }
}

TEST_F(NestedTaskTest, AnExceptionInANestedTaskEndsTheRunWithItsType) {
  for (const int throwing : {1, 2, 3, 77, (1 << 12) + 5, (1 << 13) - 1}) {
    Calls calls;
    calls.throwing = throwing;
    try {
      count_leaves(calls, 12, 1);
      ADD_FAILURE() << "call " << throwing << " has not ended the run";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
      const TaskTag tag = LeafTasks::tag_of<LeafCount>();
      EXPECT_EQ(error.what(), "a task of type " + std::to_string(tag) + " of its set threw: call " +
                                  std::to_string(throwing));
    }
    EXPECT_EQ(calls.after_throw.load(), 0) << throwing;
  }
}

// A chain of joins, each of which ends the next one. All are open when the run begins, so that no
// worker knows that it alone has handles of them.
struct ChainEnd {
  Join<> next;
  Calls* calls;

  template <class Context>
  void operator()(Context& context) const {
    calls->enter(0);
    context.arrive(next);
    calls->leave();
  }
};

struct ChainArrival {
  Join<> first;

  template <class Context>
  void operator()(Context& context) const {
    context.arrive(first);
  }
};

// Lets tasks nest by having more of them to run.
struct ChainFiller {
  template <class Context>
  void operator()(Context&) const {}
};

struct ChainRoot {
  static constexpr std::uint32_t kJoins = 1;
  Join<> first;

  template <class Context>
  void operator()(Context& context) const {
    for (int i = 0; i < 8; ++i) context.spawn(ChainFiller{});
    context.spawn(ChainArrival{first});
  }
};

using ChainTasks = TaskSet<ChainRoot, ChainArrival, ChainFiller, ChainEnd>;
const cpu::RegisterTasks<ChainTasks> registered_chains;

TEST_F(NestedTaskTest, AChainOfContinuationsRunsOnLittleStack) {
  constexpr std::uint32_t kLinks = 100'000;
  for (const int workers : {1, 2}) {
    Calls calls;
    TaskList<ChainTasks> chain(ChainRoot{Join<>(kLinks - 1, 0)});
    for (std::uint32_t i = 0; i < kLinks; ++i) {
      const Join<> next = i == 0 ? Join<>() : Join<>(i - 1, 0);
      WaitingJoin<ChainTasks> join{i, 1, ChainTasks::tag_of<ChainEnd>(), {}};
      join.continuation.store(ChainEnd{next, &calls});
      chain.push(join);
    }
    const auto queue = device->make_queue({.concurrency = workers});
    const RunReport report = run_tasks(*queue, chain, {.policy = Policy::kPersistentThreads});
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, 1, 8, kLinks}));
    EXPECT_TRUE(workers > 1 || calls.deepest.load() > 1) << calls.deepest.load();
    EXPECT_LT(calls.most_stack.load(), 256u << 10) << workers;
  }
}

// A join whose handle reaches another worker as the value of an arrival. Both arrive there at about
// the same time, one pair after another, so that the other worker is free for the partner.
struct Pairs {
  std::atomic<std::uint64_t> ends = 0;
  std::atomic<std::uint32_t> taken = 0;  // Counts the handles that have been taken.
};

struct HandlePair {
  static constexpr std::uint32_t kJoins = 1;
  Pairs* pairs;
  std::uint32_t left;  // Pairs after this one.

  template <class Context>
  void operator()(Context& context) const;
};

struct HandleEnd {
  Pairs* pairs;
  std::uint32_t left;

  template <class Context>
  void operator()(Context& context) const {
    pairs->ends.fetch_add(1);
    if (left > 0) context.spawn(HandlePair{pairs, left - 1});
  }
};

struct HandleTaker {
  Pairs* pairs;
  Join<> taken;

  template <class Context>
  void operator()(Context& context) const {
    spin(static_cast<int>(pairs->taken.fetch_add(1) % 256));
    context.arrive(taken);
  }
};

struct HandleGiver {
  static constexpr std::uint32_t kJoins = 1;
  Pairs* pairs;
  Join<Join<>> taker;
  std::uint32_t left;

  template <class Context>
  void operator()(Context& context) const {
    const Join<> given = context.open_join(2, HandleEnd{pairs, left});
    const std::uint32_t before = pairs->taken.load();
    context.arrive(taker, given);
    // Not for ever: the partner may have arrived before, or may run later on this worker.
    for (int i = 0; i < 20'000 && pairs->taken.load() == before; ++i) {
    }
    context.arrive(given);
  }
};

struct HandlePartner {
  Join<> taker;

  template <class Context>
  void operator()(Context& context) const {
    spin(1000);
    context.arrive(taker);
  }
};

template <class Context>
void HandlePair::operator()(Context& context) const {
  const auto taker = context.open_join(2, HandleTaker{pairs, {}});
  context.spawn(HandlePartner{taker});
  context.spawn(HandleGiver{pairs, taker.to(&HandleTaker::taken), left});
}

using HandleTasks = TaskSet<HandlePair, HandleGiver, HandlePartner, HandleTaker, HandleEnd>;
const cpu::RegisterTasks<HandleTasks> registered_handles;

TEST_F(NestedTaskTest, AHandleMayBeTheValueOfAnArrival) {
  constexpr std::uint32_t kPairs = 4'000;
  for (const Policy policy : kConcretePolicies) {
    const auto queue = device->make_queue({.concurrency = 2});
    Pairs pairs;
    run_tasks(*queue, TaskList<HandleTasks>(HandlePair{&pairs, kPairs - 1}), {.policy = policy});
    EXPECT_EQ(pairs.ends.load(), kPairs);
    EXPECT_EQ(pairs.taken.load(), kPairs);
  }
}

}  // namespace
}  // namespace millrace::tbb_backend

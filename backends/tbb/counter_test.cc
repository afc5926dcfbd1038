// SPDX-License-Identifier: Apache-2.0

// Tests that a task observes what the predecessors have written whose arrivals at a counter it has
// waited for, where they run side by side. ThreadSanitizer reports a missing order.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// Two predecessors, and their successor. Their only order is that of the counter: accesses of
// `begun` are relaxed.
struct Rendezvous {
  std::atomic<int> begun = 0;  // Predecessors that have begun.
  std::uint32_t missing = 2;
  std::uint64_t values[2] = {};
  std::uint64_t sum = 0;
};

template <std::uint32_t joins>
struct Successor {
  static constexpr std::uint32_t kJoins = joins;
  Rendezvous* rendezvous;

  template <class Context>
  void operator()(Context&) const {
    rendezvous->sum += rendezvous->values[0] + rendezvous->values[1];
  }
};

template <std::uint32_t joins>
struct Predecessor {
  Rendezvous* rendezvous;
  int index;

  template <class Context>
  void operator()(Context& context) const {
    rendezvous->begun.fetch_add(1, std::memory_order_relaxed);
    // Not for ever: the other may run later on this worker.
    for (int i = 0; i < 50'000 && rendezvous->begun.load(std::memory_order_relaxed) < 2; ++i) {
      std::this_thread::yield();
    }
    rendezvous->values[index] = index == 0 ? 3 : 40;
    context.arrive(&rendezvous->missing, Successor<joins>{rendezvous});
  }
};

// Tasks run in another context if a type of their set may open joins.
template <std::uint32_t joins>
using RendezvousTasks = TaskSet<Predecessor<joins>, Successor<joins>>;
const cpu::RegisterTasks<RendezvousTasks<0>> registered_rendezvous;
const cpu::RegisterTasks<RendezvousTasks<1>> registered_rendezvous_with_joins;

template <std::uint32_t joins>
void expect_rendezvous() {
  const auto queue = open_device("tbb")->make_queue({.concurrency = 2});
  for (int run = 0; run < 20; ++run) {
    Rendezvous rendezvous;
    TaskList<RendezvousTasks<joins>> roots;
    for (const int index : {0, 1}) roots.push(Predecessor<joins>{&rendezvous, index});
    const RunReport report = run_tasks(*queue, roots, {.policy = Policy::kPersistentThreads});
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{2, 1}));
    EXPECT_EQ(rendezvous.sum, 43u);
  }
}

TEST(Counter, ASuccessorObservesPredecessorsOfOtherWorkers) { expect_rendezvous<0>(); }

TEST(Counter, ASuccessorInASetWithJoinsObservesThem) { expect_rendezvous<1>(); }

}  // namespace
}  // namespace millrace::tbb_backend

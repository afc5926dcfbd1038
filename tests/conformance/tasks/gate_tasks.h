// SPDX-License-Identifier: Apache-2.0

// Task sets that wait at a gate, a word that the host sets between two runs. While it is closed a
// run cannot end, so it is surely stopped, or fails, with arrivals missing.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_GATE_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_GATE_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>

#include <cstdint>

namespace millrace::conformance {

enum class Gate : std::uint32_t { kClosed, kOpen, kFailing };

inline constexpr int kGateFailure = 28;  // Code of the failure of a task at a failing gate.

// Returns true if the gate is open. At a closed one `task` runs again later.
template <class Context, class Task>
MILLRACE_FUNCTION bool is_through(Context& context, const Gate* gate, const Task& task) {
  if (*gate == Gate::kClosed) context.spawn(task);
  if (*gate == Gate::kFailing) context.fail(kGateFailure);
  return *gate == Gate::kOpen;
}

// Counts the leaves of the calls of a number of Fibonacci. Calls for 1 wait at the gate, so below
// each open join at least one does; those for 0 do not, so joins are half full.
struct GatedCall {
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> caller;
  const Gate* gate;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n == 1 && !is_through(context, gate, *this)) return;
    if (n < 2) return context.arrive(caller, 1);
    const auto sum = context.open_join(2, FibonacciAddition{caller, {}});
    context.spawn(GatedCall{sum.to(&FibonacciAddition::values, 0), gate, n - 1});
    context.spawn(GatedCall{sum.to(&FibonacciAddition::values, 1), gate, n - 2});
  }
};

struct GatedRoot {
  static constexpr std::uint32_t kJoins = 1;
  const Gate* gate;
  std::uint64_t* result;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto end = context.open_join(1, FibonacciAnswer{result, 0});
    context.spawn(GatedCall{end.to(&FibonacciAnswer::value), gate, n});
  }
};
using GatedCallTasks = TaskSet<GatedRoot, GatedCall, FibonacciAddition, FibonacciAnswer>;

// A predecessor of one FanInSum. Every other one waits at the gate.
struct GatedPredecessor {
  const Gate* gate;
  std::uint64_t* values;
  std::uint32_t* missing;
  std::uint64_t* result;
  std::uint32_t index;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (index % 2 == 1 && !is_through(context, gate, *this)) return;
    values[index] = splitmix64(index);
    context.arrive(missing, FanInSum{values, count, result});
  }
};
using GatedFanInTasks = TaskSet<GatedPredecessor, FanInSum>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_GATE_TASKS_H_

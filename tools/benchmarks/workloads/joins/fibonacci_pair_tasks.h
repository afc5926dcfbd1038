// SPDX-License-Identifier: Apache-2.0

// The recursive definition of Fibonacci's numbers as tasks whose joins have values of 16 bytes. A
// call returns the number, and how many calls it took.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_FIBONACCI_PAIR_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_FIBONACCI_PAIR_TASKS_H_

#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::tools {

struct FibonacciPair {
  std::uint64_t number;
  std::uint64_t calls;

  friend bool operator==(const FibonacciPair&, const FibonacciPair&) = default;
};
static_assert(sizeof(FibonacciPair) == 16);

// Adds what two calls have returned, and returns it to the call that waits for them.
struct FibonacciPairSum {
  static constexpr int kPriority = 1;  // It ends a join, whose memory a call needs.
  Join<FibonacciPair> caller;
  FibonacciPair left, right;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(caller, FibonacciPair{left.number + right.number, left.calls + right.calls + 1});
  }
};

// Returns the n-th number to its caller.
struct FibonacciPairCall {
  static constexpr std::uint32_t kJoins = 1;
  Join<FibonacciPair> caller;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n < 2) return context.arrive(caller, FibonacciPair{n, 1});
    const auto sum = context.open_join(2, FibonacciPairSum{caller, {}, {}});
    context.spawn(FibonacciPairCall{sum.to(&FibonacciPairSum::left), n - 1});
    context.spawn(FibonacciPairCall{sum.to(&FibonacciPairSum::right), n - 2});
  }
};

// Stores what the first call has returned.
struct FibonacciPairEnd {
  FibonacciPair* result;  // Points to device memory.
  FibonacciPair returned;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    *result = returned;
  }
};

// Makes the first call.
struct FibonacciPairStart {
  static constexpr std::uint32_t kJoins = 1;
  FibonacciPair* result;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto end = context.open_join(1, FibonacciPairEnd{result, {}});
    context.spawn(FibonacciPairCall{end.to(&FibonacciPairEnd::returned), n});
  }
};

using FibonacciPairTasks =
    TaskSet<FibonacciPairStart, FibonacciPairCall, FibonacciPairSum, FibonacciPairEnd>;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_FIBONACCI_PAIR_TASKS_H_

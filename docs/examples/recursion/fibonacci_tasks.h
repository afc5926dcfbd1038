// SPDX-License-Identifier: Apache-2.0

// The recursive definition of Fibonacci's numbers as tasks: a call opens a join for the sum of its
// two calls. There is no cut-off, so the time is that of joins.
#ifndef MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_TASKS_H_

#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::examples {

// Adds what two calls have returned, and returns it to the call that waits for them.
struct FibonacciSum {
  static constexpr bool kTravels = true;
  static constexpr int kPriority = 1;  // It ends a join, whose memory a call needs.
  Join<std::uint64_t> caller;
  std::uint64_t left, right;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(caller, left + right);
  }
};

// Returns the n-th number to its caller.
struct FibonacciCall {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> caller;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n < 2) return context.arrive(caller, n);
    const auto sum = context.open_join(2, FibonacciSum{caller, 0, 0});
    context.spawn(FibonacciCall{sum.to(&FibonacciSum::left), n - 1});
    context.spawn(FibonacciCall{sum.to(&FibonacciSum::right), n - 2});
  }
};

// Adds what the first call has returned to the result, which is 0 on each device at first.
struct FibonacciEnd {
  static constexpr bool kTravels = true;
  std::uint64_t returned;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().result, returned);
  }
};

// Makes the first call.
struct FibonacciStart {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto end = context.open_join(1, FibonacciEnd{0});
    context.spawn(FibonacciCall{end.to(&FibonacciEnd::returned), n});
  }
};

struct FibonacciArguments {
  std::uint64_t* result;  // Points to device memory.
};

struct FibonacciTasks : TaskSet<FibonacciStart, FibonacciCall, FibonacciSum, FibonacciEnd> {
  using Arguments = FibonacciArguments;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_TASKS_H_

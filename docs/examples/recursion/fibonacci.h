// SPDX-License-Identifier: Apache-2.0

// Fibonacci's numbers by a task and a join for every call of their recursive definition.
#ifndef MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_H_
#define MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_H_

#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <vector>

namespace millrace::examples {

inline constexpr int kMaxFibonacci = 45;  // It takes 5.5 billion tasks.

struct FibonacciOptions {
  int n = 30;  // 0 to kMaxFibonacci.
  RunOptions run = {};
};

struct FibonacciResult {
  std::uint64_t value = 0;
  RunReport report;
  std::vector<SharedDeviceReport> devices;  // One a device; with ranks, this one's.
};

// Throws kInvalidArgument for options out of range, and what run_tasks throws. With ranks it is
// collective, and all have the result.
FibonacciResult compute_fibonacci(const ExampleDevices& devices, const FibonacciOptions& options);
FibonacciResult compute_fibonacci(Queue& queue, const FibonacciOptions& options);

// The same number by n additions, for 0 to kMaxFibonacci.
std::uint64_t fibonacci_by_additions(int n);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_RECURSION_FIBONACCI_H_

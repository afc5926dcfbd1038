// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/docs/examples/recursion/fibonacci_tasks.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/group/shared_sums.h>

#include <utility>

namespace millrace::examples {

FibonacciResult compute_fibonacci(const ExampleDevices& devices, const FibonacciOptions& options) {
  check_range("n", options.n, 0, kMaxFibonacci);
  SharedSums sums(1);
  SharedTasks<FibonacciTasks> tasks{
      .roots = {},
      .prepare = [&](Queue& queue) { return FibonacciArguments{sums.on(queue)}; },
      .finish = [&](Queue& queue) { sums.take(queue); }};
  if (devices.is_first()) {
    tasks.roots.push(FibonacciStart{static_cast<std::uint32_t>(options.n)});
  }
  SharedRunReport report = devices.run(tasks, options.run);
  devices.add_up(sums.totals());
  return {sums.totals()[0], std::move(report.run), std::move(report.devices)};
}

FibonacciResult compute_fibonacci(Queue& queue, const FibonacciOptions& options) {
  return compute_fibonacci(ExampleDevices(queue), options);
}

std::uint64_t fibonacci_by_additions(int n) {
  std::uint64_t value = 0;
  std::uint64_t next = 1;
  for (int i = 0; i < n; ++i) value = std::exchange(next, value + next);
  return value;
}

}  // namespace millrace::examples

// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/docs/examples/recursion/fibonacci_tasks.h>

#include <span>
#include <utility>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>

namespace millrace::examples {

FibonacciResult compute_fibonacci(Queue& queue, const FibonacciOptions& options) {
  check_range("n", options.n, 0, kMaxFibonacci);
  Buffer<std::uint64_t> value(queue.device().shared_from_this(), MemorySpace::kDevice, 1);
  const TaskList<FibonacciTasks> roots(
      FibonacciStart{value.data(), static_cast<std::uint32_t>(options.n)});

  FibonacciResult result;
  result.report = run_tasks(queue, roots, options.run);
  copy(queue, BufferSpan<std::uint64_t>(std::span(&result.value, 1)), value.span());
  queue.wait();
  return result;
}

std::uint64_t fibonacci_by_additions(int n) {
  std::uint64_t value = 0;
  std::uint64_t next = 1;
  for (int i = 0; i < n; ++i) value = std::exchange(next, value + next);
  return value;
}

}  // namespace millrace::examples

// SPDX-License-Identifier: Apache-2.0

// The value that tests of joins compute by calls.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_FIBONACCI_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_FIBONACCI_H_

#include <cstdint>
#include <utility>

namespace millrace::conformance {

// Returns Fibonacci's number n; those of 0 and 1 are 0 and 1.
inline std::uint64_t fibonacci(std::uint32_t n) {
  std::uint64_t value = 0;
  std::uint64_t next = 1;
  for (std::uint32_t i = 0; i < n; ++i) value = std::exchange(next, value + next);
  return value;
}

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_FIBONACCI_H_

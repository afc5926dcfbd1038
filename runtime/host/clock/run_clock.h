// SPDX-License-Identifier: Apache-2.0

// The clock by which runs end at their deadlines.
#ifndef MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_
#define MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_

#include <chrono>

namespace millrace {

// It is std::chrono::steady_clock, unless a test has set a clock of its own. Thread-safe.
class RunClock {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  using Source = time_point (*)() noexcept;

  static time_point now() noexcept;

  // Returns true if a test has set the clock. A thread that waits for a time of such a clock must
  // poll it, because nothing wakes the thread.
  static bool is_set() noexcept;

  // Makes `source`, which must be thread-safe, the clock of this process; null is steady_clock.
  static void set(Source source) noexcept;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_

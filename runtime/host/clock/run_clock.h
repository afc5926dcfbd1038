// SPDX-License-Identifier: Apache-2.0

// The clock for deadlines of runs and for samples of runs in progress.
#ifndef MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_
#define MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace millrace {

// It is std::chrono::steady_clock, unless a test has set a clock of its own. Thread-safe.
class RunClock {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  using Source = time_point (*)() noexcept;

  static time_point now() noexcept;

  // Returns true if a test has set the clock. A thread that waits for a time of such a clock must
  // call now() again and again, because no timer wakes it.
  static bool is_set() noexcept;

  // Waits until `condition` is notified or the time has come, or for a shorter time. Called with
  // the lock.
  static void wait_until(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
                         time_point time);

  // Sets the clock of the whole process, while nothing runs. `source` must be thread-safe; null is
  // steady_clock. Returns the source before.
  static Source set(Source source) noexcept;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_CLOCK_RUN_CLOCK_H_

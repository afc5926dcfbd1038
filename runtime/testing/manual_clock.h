// SPDX-License-Identifier: Apache-2.0

// A clock for tests of deadlines, which pass when the test says so.
#ifndef MILLRACE_RUNTIME_TESTING_MANUAL_CLOCK_H_
#define MILLRACE_RUNTIME_TESTING_MANUAL_CLOCK_H_

#include <millrace/runtime/host/clock/run_clock.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace millrace {

// While an object exists, RunClock advances by advance(), and by a microsecond at each reading, so
// that what waits for a short time goes on. Once it is destroyed, RunClock is again
// what it was before, such as a CountedClock. At most one may exist at a time, and all runs must
// end before it is destroyed.
class ManualClock {
 public:
  // A time that passes by advance() alone: a test reads the clock less often.
  static constexpr std::chrono::hours kFar{10'000};

  ManualClock() : before_(RunClock::set(read)) {}
  ~ManualClock() { RunClock::set(before_); }
  ManualClock(const ManualClock&) = delete;
  ManualClock& operator=(const ManualClock&) = delete;

  // Any thread may call it.
  static void advance(std::chrono::microseconds time) {
    microseconds_.fetch_add(time.count(), std::memory_order_relaxed);
  }

 private:
  static RunClock::time_point read() noexcept {
    return RunClock::time_point(
        std::chrono::microseconds(microseconds_.fetch_add(1, std::memory_order_relaxed)));
  }

  static inline std::atomic<std::int64_t> microseconds_ = 1;
  const RunClock::Source before_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TESTING_MANUAL_CLOCK_H_

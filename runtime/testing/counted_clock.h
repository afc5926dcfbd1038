// SPDX-License-Identifier: Apache-2.0

// A clock for tests of deadlines and of samples. It advances when it is read, not with real time.
#ifndef MILLRACE_RUNTIME_TESTING_COUNTED_CLOCK_H_
#define MILLRACE_RUNTIME_TESTING_COUNTED_CLOCK_H_

#include <millrace/runtime/host/clock/run_clock.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace millrace {

// While an object exists, RunClock is 20 microseconds later at each reading, by any thread. At most
// one may exist at a time, and all runs must end before it is destroyed.
class CountedClock {
 public:
  CountedClock() { RunClock::set(read); }
  ~CountedClock() { RunClock::set(nullptr); }
  CountedClock(const CountedClock&) = delete;
  CountedClock& operator=(const CountedClock&) = delete;

 private:
  static RunClock::time_point read() noexcept {
    static std::atomic<std::int64_t> readings = 0;
    return RunClock::time_point(
        std::chrono::microseconds(20 * (readings.fetch_add(1, std::memory_order_relaxed) + 1)));
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TESTING_COUNTED_CLOCK_H_

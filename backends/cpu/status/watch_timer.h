// SPDX-License-Identifier: Apache-2.0

// The timers by which runs are stopped at their deadline or to be sampled.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_WATCH_TIMER_H_
#define MILLRACE_BACKENDS_CPU_STATUS_WATCH_TIMER_H_

#include <chrono>
#include <functional>
#include <memory>

namespace millrace::cpu {

// Calls a function once, unless it is destroyed before. The destructor waits for the call.
class WatchTimer {
 public:
  WatchTimer() = default;
  WatchTimer(const WatchTimer&) = delete;
  WatchTimer& operator=(const WatchTimer&) = delete;
  virtual ~WatchTimer() = default;
};

class TimerSource {
 public:
  virtual ~TimerSource() = default;

  // Returns a timer that calls `function`, which must not block, after `delay` by RunClock.
  // Throws std::system_error if there are no resources for it.
  virtual std::unique_ptr<WatchTimer> start(std::chrono::nanoseconds delay,
                                            std::function<void()> function) = 0;
};

// Returns the source of all timers. Each timer of the initial one is a thread.
TimerSource& timer_source();

// Makes `source` the source of later timers, so that a test decides when time passes. Null is the
// initial one.
void use_timer_source(TimerSource* source);

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_WATCH_TIMER_H_

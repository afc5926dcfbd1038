// SPDX-License-Identifier: Apache-2.0

// Timers for tests, which fire when the test says so.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_MANUAL_TIMERS_H_
#define MILLRACE_BACKENDS_CPU_STATUS_MANUAL_TIMERS_H_

#include <millrace/backends/cpu/status/watch_timer.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace millrace::cpu {

// The source of all timers while it lives. Thread-safe.
class ManualTimers final : public TimerSource {
 public:
  ManualTimers() { use_timer_source(this); }
  ~ManualTimers() override { use_timer_source(nullptr); }
  ManualTimers(const ManualTimers&) = delete;
  ManualTimers& operator=(const ManualTimers&) = delete;

  std::unique_ptr<WatchTimer> start(std::chrono::nanoseconds delay,
                                    std::function<void()> function) override {
    const std::lock_guard lock(mutex_);
    delay_ = delay;
    waiting_.emplace(++last_, std::move(function));
    return std::make_unique<Timer>(*this, last_);
  }

  // Calls the functions of all timers that wait, on the calling thread.
  void fire() {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, function] : std::exchange(waiting_, {})) {
      function();
      ++fired_;
    }
  }

  // Returns the number of timers that have fired.
  int fired() const {
    const std::lock_guard lock(mutex_);
    return fired_;
  }

  // Returns the delay of the last timer.
  std::chrono::nanoseconds delay() const {
    const std::lock_guard lock(mutex_);
    return delay_;
  }

 private:
  class Timer final : public WatchTimer {
   public:
    Timer(ManualTimers& timers, int number) : timers_(timers), number_(number) {}
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() override {
      const std::lock_guard lock(timers_.mutex_);
      timers_.waiting_.erase(number_);
    }

   private:
    ManualTimers& timers_;
    const int number_;
  };

  mutable std::mutex mutex_;
  std::map<int, std::function<void()>> waiting_;
  int last_ = 0;
  int fired_ = 0;
  std::chrono::nanoseconds delay_{};
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_MANUAL_TIMERS_H_

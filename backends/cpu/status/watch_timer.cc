// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/watch_timer.h>
#include <millrace/runtime/host/clock/run_clock.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace millrace::cpu {
namespace {

using Time = RunClock::time_point;

// Returns the time `delay` after `now`, or the latest time there is.
Time after(Time now, std::chrono::nanoseconds delay) {
  return delay < Time::max() - now ? now + delay : Time::max();
}

class TimerThread final : public WatchTimer {
 public:
  TimerThread(Time at, std::function<void()> function)
      : function_(std::move(function)),
        thread_([this, at](const std::stop_token& ended) { wait(ended, at); }) {}

 private:
  void wait(const std::stop_token& ended, Time at) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, ended, at, [] { return false; });
    if (!ended.stop_requested()) function_();
  }

  const std::function<void()> function_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // Declared last, because it uses the others.
};

// Polls a clock that a test has set, because no timer goes off by it. Readings are so frequent that
// time also passes while workers keep all cores busy.
class PollingThread final : public WatchTimer {
 public:
  PollingThread(Time at, std::function<void()> function)
      : thread_([at, function = std::move(function)](const std::stop_token& ended) {
          constexpr unsigned kReadingsPerYield = 16;
          for (unsigned i = 1; !ended.stop_requested() && RunClock::now() < at; ++i) {
            if (i % kReadingsPerYield == 0) std::this_thread::yield();
          }
          if (!ended.stop_requested()) function();
        }) {}

 private:
  std::jthread thread_;
};

class TimerThreads final : public TimerSource {
 public:
  std::unique_ptr<WatchTimer> start(std::chrono::nanoseconds delay,
                                    std::function<void()> function) override {
    const Time at = after(RunClock::now(), delay);
    if (RunClock::is_set()) return std::make_unique<PollingThread>(at, std::move(function));
    return std::make_unique<TimerThread>(at, std::move(function));
  }
};

std::atomic<TimerSource*> own_source = nullptr;

}  // namespace

TimerSource& timer_source() {
  static TimerThreads threads;
  TimerSource* const own = own_source.load();
  return own == nullptr ? threads : *own;
}

void use_timer_source(TimerSource* source) { own_source.store(source); }

}  // namespace millrace::cpu

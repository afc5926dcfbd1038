// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/clock/run_clock.h>

#include <atomic>
#include <thread>

namespace millrace {
namespace {

std::atomic<RunClock::Source> own_source = nullptr;

}  // namespace

RunClock::time_point RunClock::now() noexcept {
  const Source source = own_source.load(std::memory_order_relaxed);
  return source == nullptr ? std::chrono::steady_clock::now() : source();
}

bool RunClock::is_set() noexcept { return own_source.load(std::memory_order_relaxed) != nullptr; }

void RunClock::wait_until(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
                          time_point time) {
  if (!is_set()) {
    condition.wait_until(lock, time);
    return;
  }
  lock.unlock();
  std::this_thread::yield();
  lock.lock();
}

RunClock::Source RunClock::set(Source source) noexcept {
  return own_source.exchange(source, std::memory_order_relaxed);
}

}  // namespace millrace

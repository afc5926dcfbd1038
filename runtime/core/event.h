// SPDX-License-Identifier: Apache-2.0

// A point in a Queue: reached when everything enqueued before it has finished.
#ifndef MILLRACE_RUNTIME_CORE_EVENT_H_
#define MILLRACE_RUNTIME_CORE_EVENT_H_

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace millrace {

// What a backend implements for Event. All members may be called from any thread.
class EventState {
 public:
  virtual ~EventState() = default;

  virtual bool ready() const = 0;

  // Calls `action` once the point is reached: at once if it already is, else later on the thread
  // that reaches it. `action` must be short and must not block.
  virtual void when_ready(std::function<void()> action) = 0;

  virtual void wait() = 0;

  // When a point that is ready was reached, by the host's clock.
  virtual std::chrono::steady_clock::time_point reached_at() const = 0;
};

// A copyable handle. A default-constructed Event is always ready.
class Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<EventState> state) : state_(std::move(state)) {}

  bool ready() const { return !state_ || state_->ready(); }

  // Blocks until the point is reached. Errors of the work before it are not thrown here but by
  // Queue::wait of the queue that ran it.
  void wait() const {
    if (state_) state_->wait();
  }

  // When a point that is ready was reached. Devices with a clock of their own tell the time to
  // some microseconds. The clock's start for an event that was never recorded.
  std::chrono::steady_clock::time_point reached_at() const {
    return state_ ? state_->reached_at() : std::chrono::steady_clock::time_point();
  }

  // For backends, which wait for events of their own kind without the host; null when always ready.
  const std::shared_ptr<EventState>& state() const { return state_; }

  void when_ready(std::function<void()> action) const {
    if (state_) {
      state_->when_ready(std::move(action));
    } else {
      action();
    }
  }

 private:
  std::shared_ptr<EventState> state_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_EVENT_H_

// SPDX-License-Identifier: Apache-2.0

// An event marks a point in a Queue. It is ready once everything enqueued before it has finished.
//
//   const Event done = queue->record();
//   other->wait_for(done);   // Work of the other queue starts behind it; the host does not block.
//   done.wait();             // Blocks this thread.
#ifndef MILLRACE_RUNTIME_CORE_EVENT_H_
#define MILLRACE_RUNTIME_CORE_EVENT_H_

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace millrace {

// The interface that a backend implements for Event. All members may be called from any thread.
class EventState {
 public:
  virtual ~EventState() = default;

  virtual bool ready() const = 0;

  // Calls `action` once the event is ready: at once if it already is, or else later on the thread
  // that makes it ready. `action` must be short and must not block.
  virtual void when_ready(std::function<void()> action) = 0;

  // Blocks until the event is ready.
  virtual void wait() = 0;

  // Returns the time at which the event became ready, by the host's clock. It must be ready.
  virtual std::chrono::steady_clock::time_point reached_at() const = 0;
};

// A copyable handle. A default-constructed Event is always ready. All members may be called from
// any thread.
class Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<EventState> state) : state_(std::move(state)) {}

  bool ready() const { return !state_ || state_->ready(); }

  // Blocks until the event is ready. Errors of the work before it are not thrown here but by
  // Queue::wait of the queue that ran it.
  void wait() const {
    if (state_) state_->wait();
  }

  // Returns the time at which a ready event became ready. On devices with a clock of their own it
  // is accurate to some microseconds. A default-constructed event returns the clock's epoch.
  std::chrono::steady_clock::time_point reached_at() const {
    return state_ ? state_->reached_at() : std::chrono::steady_clock::time_point();
  }

  // Returns the backend's state, or null for an event that is always ready. Backends use it to wait
  // for events of their own kind without the host.
  const std::shared_ptr<EventState>& state() const { return state_; }

  // Calls `action` once the event is ready; see EventState::when_ready.
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

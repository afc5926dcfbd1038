// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/library_thread.h>
#include <millrace/runtime/host/queue/serial_executor.h>

#include <system_error>
#include <utility>
#include <vector>

namespace millrace {
namespace {

std::exception_ptr attempt(const std::function<void()>& work) {
  try {
    if (work) work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

class SerialExecutor::RecordedEvent final : public EventState {
 public:
  explicit RecordedEvent(std::weak_ptr<SerialExecutor> executor) : executor_(std::move(executor)) {}

  bool ready() const override {
    const std::lock_guard lock(mutex_);
    return ready_;
  }

  void when_ready(std::function<void()> action) override {
    {
      const std::lock_guard lock(mutex_);
      if (!ready_) {
        actions_.push_back(std::move(action));
        return;
      }
    }
    action();
  }

  // An executor that was destroyed has finished all operations.
  void wait() override {
    if (ready()) return;
    if (const auto executor = executor_.lock()) {
      executor->help_until([this] { return ready(); });
    }
  }

  std::chrono::steady_clock::time_point reached_at() const override {
    const std::lock_guard lock(mutex_);
    return reached_at_;
  }

  void reach() {
    std::vector<std::function<void()>> actions;
    {
      const std::lock_guard lock(mutex_);
      ready_ = true;
      reached_at_ = std::chrono::steady_clock::now();
      actions.swap(actions_);
    }
    for (const auto& action : actions) action();
  }

 private:
  const std::weak_ptr<SerialExecutor> executor_;
  mutable std::mutex mutex_;
  bool ready_ = false;
  std::chrono::steady_clock::time_point reached_at_;
  std::vector<std::function<void()>> actions_;
};

SerialExecutor::SerialExecutor(Enter enter) : enter_(std::move(enter)) {}

void SerialExecutor::push(Operation operation, Start start) {
  bool needs_thread = false;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first =
        start == Start::kInline && operations_.empty() && !running_ && operation.gate.ready();
    operations_.push_back(std::move(operation));
    if (is_first) {
      running_ = true;
    } else {
      needs_thread = start != Start::kAtWait && is_abandoned();
    }
  }
  if (is_first) {
    enter_([this, &needs_thread] {
      Lock lock(mutex_);
      run_first(lock);
      running_ = false;
      changed_.notify_all();
      needs_thread = is_abandoned();
    });
  }
  if (needs_thread) call_thread();
}

Event SerialExecutor::record(std::function<void()> last, Start start) {
  auto event = std::make_shared<RecordedEvent>(weak_from_this());
  auto reach = [event, last = std::move(last)] {
    const std::exception_ptr error = attempt(last);
    event->reach();
    if (error) std::rethrow_exception(error);
  };
  push({.work = std::move(reach), .after_failure = true, .gate = {}}, start);
  return Event(event);
}

void SerialExecutor::finish() {
  help_until([] { return false; });
}

std::exception_ptr SerialExecutor::take_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(first_error_, nullptr);
}

bool SerialExecutor::has_error() const {
  const std::lock_guard lock(mutex_);
  return first_error_ != nullptr;
}

void SerialExecutor::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  called_.notify_all();
}

void SerialExecutor::help_until(const Condition& done) {
  Lock lock(mutex_);
  ++waiting_;
  while (!done() && (running_ || !operations_.empty())) {
    if (running_) {
      changed_.wait(lock);
      continue;
    }
    const Event gate = operations_.front().gate;
    lock.unlock();
    if (gate.ready()) {
      enter_([&] { run(done); });
    } else {
      gate.wait();
    }
    lock.lock();
  }
  --waiting_;
  const bool needs_thread = is_abandoned();
  lock.unlock();
  if (needs_thread) call_thread();
}

void SerialExecutor::run(const Condition& enough) {
  Lock lock(mutex_);
  if (running_) return;
  running_ = true;
  while (!operations_.empty() && operations_.front().gate.ready() && !enough()) run_first(lock);
  running_ = false;
  changed_.notify_all();
}

void SerialExecutor::run_first(Lock& lock) {
  Operation operation = std::move(operations_.front());
  operations_.pop_front();
  is_gate_watched_ = false;
  const bool is_skipped = first_error_ && !operation.after_failure;
  lock.unlock();
  std::exception_ptr error = is_skipped ? nullptr : attempt(operation.work);
  operation = {};  // Destroyed without the lock, because destructors may call this executor.
  lock.lock();
  if (error && !first_error_) first_error_ = std::move(error);
  if (waiting_ > 1) changed_.notify_all();  // Another thread may wait for this operation.
}

void SerialExecutor::call_thread() {
  const std::lock_guard lock(mutex_);
  is_called_ = true;
  called_.notify_all();
  if (std::exchange(has_thread_, true)) return;
  try {
    // close() does not join the thread, because its operations may wait for the closing thread.
    start_library_thread([self = shared_from_this()] { self->serve(); },
                         [weak = weak_from_this()] {
                           if (const auto self = weak.lock()) self->close();
                         });
  } catch (const std::system_error&) {
    // A waiting thread runs the operations, and the next call tries again.
    has_thread_ = false;
  }
}

void SerialExecutor::serve() {
  Lock lock(mutex_);
  for (;;) {
    called_.wait(lock, [this] { return is_called_ || is_closed_; });
    if (is_closed_) return;
    is_called_ = false;
    lock.unlock();
    enter_([this] { run([this] { return waiting_ > 0; }); });
    lock.lock();
    if (is_abandoned()) watch_gate(lock);
  }
}

void SerialExecutor::watch_gate(Lock& lock) {
  is_gate_watched_ = true;
  const Event gate = operations_.front().gate;
  lock.unlock();
  gate.when_ready([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    {
      const std::lock_guard is_watching(self->mutex_);
      self->is_gate_watched_ = false;
    }
    self->call_thread();
  });
  lock.lock();
}

}  // namespace millrace

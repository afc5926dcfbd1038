#include <millrace/backends/tbb/serial_executor.h>

#include <thread>
#include <utility>
#include <vector>

namespace millrace::tbb_backend {
namespace {

tbb::task_arena make_arena(int concurrency) {
  if (concurrency == 0) return tbb::task_arena(tbb::task_arena::attach());
  return tbb::task_arena(concurrency);
}

// Isolated: where the operation waits for its helpers, this thread takes no other task of the
// arena, which may be one that waits for this executor.
std::exception_ptr attempt(const std::function<void()>& work) {
  try {
    if (work) tbb::this_task_arena::isolate(work);
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

  // An executor that is gone has ended everything.
  void wait() override {
    if (const auto executor = executor_.lock()) {
      executor->help_until([this] { return ready(); });
    }
  }

  void reach() {
    std::vector<std::function<void()>> actions;
    {
      const std::lock_guard lock(mutex_);
      ready_ = true;
      actions.swap(actions_);
    }
    for (const auto& action : actions) action();
  }

 private:
  const std::weak_ptr<SerialExecutor> executor_;
  mutable std::mutex mutex_;
  bool ready_ = false;
  std::vector<std::function<void()>> actions_;
};

SerialExecutor::SerialExecutor(int concurrency) : arena_(make_arena(concurrency)) {
  arena_.initialize();
}

void SerialExecutor::push(Operation operation, Start start) {
  bool has_runner = false;
  {
    const std::lock_guard lock(mutex_);
    operations_.push_back(std::move(operation));
    has_runner = running_ || waiting_ > 0;
  }
  if (start == Start::kNow && !has_runner) call_thread();
}

Event SerialExecutor::record() {
  auto event = std::make_shared<RecordedEvent>(weak_from_this());
  push({.work = [event] { event->reach(); }, .after_failure = true, .gate = {}}, Start::kNow);
  return Event(event);
}

void SerialExecutor::finish() {
  help_until([] { return false; });
}

std::exception_ptr SerialExecutor::take_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(first_error_, nullptr);
}

void SerialExecutor::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  called_.notify_all();
}

void SerialExecutor::help_until(const Condition& done) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  while (!done() && (running_ || !operations_.empty())) {
    if (running_) {
      changed_.wait(lock);
      continue;
    }
    const Event gate = operations_.front().gate;
    lock.unlock();
    if (gate.ready()) {
      arena_.execute([&] { run(done); });
    } else {
      gate.wait();
    }
    lock.lock();
  }
  --waiting_;
  const bool leaves_some = !operations_.empty() && !running_ && waiting_ == 0;
  lock.unlock();
  if (leaves_some) call_thread();
}

void SerialExecutor::run(const Condition& enough) {
  std::unique_lock lock(mutex_);
  if (running_) return;
  running_ = true;
  while (!operations_.empty() && operations_.front().gate.ready() && !enough()) {
    Operation operation = std::move(operations_.front());
    operations_.pop_front();
    const bool is_skipped = first_error_ && !operation.after_failure;
    lock.unlock();
    std::exception_ptr error = is_skipped ? nullptr : attempt(operation.work);
    operation = {};  // What it keeps alive may come back to this executor when it goes.
    lock.lock();
    if (error && !first_error_) first_error_ = std::move(error);
  }
  running_ = false;
  changed_.notify_all();
}

void SerialExecutor::call_thread() {
  const std::lock_guard lock(mutex_);
  is_called_ = true;
  called_.notify_all();
  if (std::exchange(has_thread_, true)) return;
  // Detached: it may be kept from the arena by the very thread that would join it.
  std::thread([self = shared_from_this()] { self->serve(); }).detach();
}

void SerialExecutor::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    called_.wait(lock, [this] { return is_called_ || is_closed_; });
    if (is_closed_) return;
    is_called_ = false;
    lock.unlock();
    arena_.execute([this] { run([this] { return waiting_ > 0; }); });
    lock.lock();
    if (operations_.empty() || running_ || waiting_ > 0) continue;
    // The next operation's gate was closed.
    const Event gate = operations_.front().gate;
    lock.unlock();
    gate.when_ready([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->call_thread();
    });
    lock.lock();
  }
}

}  // namespace millrace::tbb_backend

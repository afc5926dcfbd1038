#include <millrace/backends/tbb/tbb_queue.h>

#include <tbb/task_arena.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <millrace/backends/tbb/parallel_copy.h>
#include <millrace/backends/tbb/starter.h>

namespace millrace::tbb_backend {
namespace {

class TbbEvent final : public EventState {
 public:
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

  void wait() override {
    std::unique_lock lock(mutex_);
    reached_.wait(lock, [this] { return ready_; });
  }

  void reach() {
    std::vector<std::function<void()>> actions;
    {
      const std::lock_guard lock(mutex_);
      ready_ = true;
      actions.swap(actions_);
      reached_.notify_all();
    }
    for (const auto& action : actions) action();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable reached_;
  bool ready_ = false;
  std::vector<std::function<void()>> actions_;
};

struct Operation {
  std::function<void()> work;
  bool after_failure = false;  // Runs even when the queue has failed.
  Event gate;                  // Starts once this is ready.
};

tbb::task_arena make_arena(int concurrency) {
  if (concurrency == 0) return tbb::task_arena(tbb::task_arena::attach());
  return tbb::task_arena(concurrency);
}

}  // namespace

// Shared by the queue and the threads that serve it, some of which come after it is gone.
class TbbQueue::Drain : public std::enable_shared_from_this<Drain> {
 public:
  Drain(std::shared_ptr<Device> device, int concurrency)
      : device_(std::move(device)), arena_(make_arena(concurrency)) {
    arena_.initialize();
  }

  Device& device() const { return *device_; }

  void push(Operation operation, Start start) {
    bool wake = false;
    {
      const std::lock_guard lock(mutex_);
      operations_.push_back(std::move(operation));
      wake = start == Start::kNow && !running_;
    }
    if (wake) schedule();
  }

  // Waits for the end of all operations, running them where no other thread does.
  void finish() {
    std::unique_lock lock(mutex_);
    while (running_ || !operations_.empty()) {
      if (running_) {
        changed_.wait(lock);
      } else {
        lock.unlock();
        arena_.execute([this] { run(); });
        lock.lock();
      }
    }
  }

  std::exception_ptr take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(first_error_, nullptr);
  }

 private:
  // Work enqueued in the arena itself would let one thread more into it than its size says. A queue
  // that is gone has finished.
  void schedule() {
    Starter::get().call([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->arena_.execute([&] { self->run(); });
    });
  }

  // Runs operations until there are none or one has to wait for its gate.
  void run() {
    std::unique_lock lock(mutex_);
    if (running_) return;
    running_ = true;
    while (!operations_.empty()) {
      Operation operation = std::move(operations_.front());
      operations_.pop_front();
      if (!operation.gate.ready()) {
        resume_at(std::move(operation), lock);
        return;
      }
      if (first_error_ && !operation.after_failure) continue;
      lock.unlock();
      std::exception_ptr error = attempt(operation);
      lock.lock();
      if (error && !first_error_) first_error_ = std::move(error);
    }
    running_ = false;
    changed_.notify_all();
  }

  // Gives the thread back instead of blocking it: with few threads, the event may need this one.
  void resume_at(Operation operation, std::unique_lock<std::mutex>& lock) {
    const Event gate = std::exchange(operation.gate, Event());
    operations_.push_front(std::move(operation));
    lock.unlock();
    gate.when_ready([self = shared_from_this()] {
      {
        const std::lock_guard relock(self->mutex_);
        self->running_ = false;
        self->changed_.notify_all();
      }
      self->schedule();
    });
  }

  // The operation, and the memory it keeps alive, is gone when this returns. Isolated: where the
  // operation waits for its helpers, this thread takes no other task of the arena, which may be one
  // that waits for this queue.
  static std::exception_ptr attempt(Operation& operation) {
    std::exception_ptr error;
    try {
      if (operation.work) tbb::this_task_arena::isolate(operation.work);
    } catch (...) {
      error = std::current_exception();
    }
    operation.work = nullptr;
    return error;
  }

  const std::shared_ptr<Device> device_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Operation> operations_;
  bool running_ = false;  // A thread is in run(), or a gate will call it.
  std::exception_ptr first_error_;
};

TbbQueue::TbbQueue(std::shared_ptr<Device> device, const QueueOptions& options)
    : drain_(std::make_shared<Drain>(std::move(device), options.concurrency)) {}

TbbQueue::~TbbQueue() { drain_->finish(); }

Device& TbbQueue::device() const { return drain_->device(); }

void TbbQueue::copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
                    MemoryOwner source_owner) {
  if (bytes == 0) return;
  call([target, source, bytes, keep = std::pair(std::move(target_owner), std::move(source_owner))] {
    parallel_copy(target, source, bytes);
  });
}

void TbbQueue::fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) {
  if (bytes == 0) return;
  call([target, value, bytes, keep = std::move(owner)] {
    std::memset(target, std::to_integer<int>(value), bytes);
  });
}

void TbbQueue::call(std::function<void()> function) { enqueue(std::move(function), Start::kNow); }

Event TbbQueue::record() {
  auto event = std::make_shared<TbbEvent>();
  drain_->push({.work = [event] { event->reach(); }, .after_failure = true, .gate = {}},
               Start::kNow);
  return Event(event);
}

void TbbQueue::wait_for(const Event& event) {
  drain_->push({.work = {}, .after_failure = true, .gate = event}, Start::kNow);
}

void TbbQueue::wait() {
  drain_->finish();
  if (const std::exception_ptr error = drain_->take_error()) std::rethrow_exception(error);
}

void TbbQueue::enqueue(std::function<void()> operation, Start start) {
  drain_->push({.work = std::move(operation), .after_failure = false, .gate = {}}, start);
}

}  // namespace millrace::tbb_backend

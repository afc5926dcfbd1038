// SPDX-License-Identifier: Apache-2.0

// Runs operations one after another. Queues of host work are made of it.
//
//   auto executor = std::make_shared<SerialExecutor>([](const auto& run) { run(); });
//   executor->push({.work = [&] { transform(chunk); }, .gate = uploaded},
//   SerialExecutor::Start::kNow); executor->finish(); if (auto error = executor->take_error())
//   std::rethrow_exception(error);
//
// Operations run on a thread that waits for them or, if none waits, on the executor's own thread,
// which is started on first need. That thread belongs to no pool, so it takes no worker away and
// runs even if all workers of a pool wait. If no thread can be started, operations run when a
// thread waits. A waiting thread takes over between two operations. An operation whose gate is not
// ready blocks no thread.
#ifndef MILLRACE_RUNTIME_HOST_QUEUE_SERIAL_EXECUTOR_H_
#define MILLRACE_RUNTIME_HOST_QUEUE_SERIAL_EXECUTOR_H_

#include <millrace/runtime/core/event.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace millrace {

// Thread-safe. Must be made by std::make_shared; its events and its thread keep it alive as long as
// they need it.
class SerialExecutor : public std::enable_shared_from_this<SerialExecutor> {
 public:
  struct Operation {
    std::function<void()> work;
    bool after_failure = false;  // True if it runs even after an operation has failed.
    Event gate;                  // The operation starts once this is ready.
  };

  enum class Start {
    kNow,
    kAtWait,  // The caller calls finish() next, so the executor's thread is not woken.
    kInline,  // On the calling thread before push() returns, if no operation is before it;
              // otherwise like kNow. For operations that do not block.
  };

  // Calls its argument on the calling thread in the context of the operations, such as an arena.
  using Enter = std::function<void(const std::function<void()>&)>;

  // `enter` is called from several threads at a time and is destroyed with the executor.
  explicit SerialExecutor(Enter enter);

  // Adds an operation behind all others.
  void push(Operation operation, Start start);

  // Returns an event that is ready once all operations before it have ended and `last`, if given,
  // has been called. `last` is called after a failure, too; an exception of it is an error of the
  // executor.
  Event record(std::function<void()> last = {}, Start start = Start::kNow);

  // Returns when all operations have ended.
  void finish();

  // Returns and resets the first error since the last call, or returns null.
  std::exception_ptr take_error();

  // Returns true if take_error() would return an error.
  bool has_error() const;

  // Ends the executor's thread, if there is one. Nothing may be pushed afterwards.
  void close();

 private:
  class RecordedEvent;
  using Condition = std::function<bool()>;
  using Lock = std::unique_lock<std::mutex>;

  // Runs operations while no other thread does, until `done`, which is evaluated under the lock, or
  // until all have ended.
  void help_until(const Condition& done);

  // Runs operations until there are none, the gate of the next is not ready, or `enough`, which is
  // evaluated between operations under the lock. Returns at once if another thread runs operations.
  void run(const Condition& enough);

  // Runs the first operation. Releases the lock meanwhile.
  void run_first(Lock& lock);

  // Returns true if there are operations that no thread is about to run.
  bool is_abandoned() const {
    return !operations_.empty() && !running_ && waiting_ == 0 && !is_gate_watched_;
  }

  // Wakes the executor's thread, or starts it if there is none.
  void call_thread();
  void serve();

  // Makes the gate of the first operation wake the thread once it is ready.
  void watch_gate(Lock& lock);

  const Enter enter_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // Notified if an operation ends or running_ becomes false.
  std::condition_variable called_;   // Notified if is_called_ or is_closed_ becomes true.
  std::deque<Operation> operations_;
  std::exception_ptr first_error_;
  int waiting_ = 0;       // Number of threads in help_until.
  bool running_ = false;  // True if a thread runs operations.
  bool is_gate_watched_ = false;
  bool has_thread_ = false;
  bool is_called_ = false;
  bool is_closed_ = false;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_QUEUE_SERIAL_EXECUTOR_H_

// SPDX-License-Identifier: Apache-2.0

// Runs operations one after another: what makes a Queue of host work.
//
// They run on whichever thread comes first: one that waits for them, or the executor's own, which
// is made when the first operation is to start with nobody waiting. It belongs to no thread pool,
// so it takes no worker away, and starts where all of a pool's wait. Where no thread can be made,
// operations run when somebody waits. Whoever waits takes over between two operations. An operation
// whose gate is closed holds up no thread.
#ifndef MILLRACE_RUNTIME_HOST_SERIAL_EXECUTOR_H_
#define MILLRACE_RUNTIME_HOST_SERIAL_EXECUTOR_H_

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include <millrace/runtime/core/event.h>

namespace millrace {

// Thread-safe. Made by make_shared; its events and its thread keep it as long as they need it.
class SerialExecutor : public std::enable_shared_from_this<SerialExecutor> {
 public:
  struct Operation {
    std::function<void()> work;
    bool after_failure = false;  // Runs even when an operation before it has failed.
    Event gate;                  // Starts once this is ready.
  };

  enum class Start {
    kNow,
    kAtWait,  // The caller goes on to finish(): the executor's thread need not wake.
    kInline,  // On the calling thread before push() returns, where nothing is before it: for
              // operations that do not block. Otherwise as kNow.
  };

  // Calls its argument, on the calling thread, where operations are to run: in an arena, say.
  using Enter = std::function<void(const std::function<void()>&)>;

  // `enter` is called from several threads at once, and goes with the executor.
  explicit SerialExecutor(Enter enter);

  void push(Operation operation, Start start);

  // Reached when everything pushed before has ended and `last`, if given, has been called, which
  // happens after a failure too. What `last` throws is an error like any other.
  Event record(std::function<void()> last = {}, Start start = Start::kNow);

  // Returns when everything has ended.
  void finish();

  // The first error since the last call, if any.
  std::exception_ptr take_error();

  // Whether there is one.
  bool has_error() const;

  // Ends the executor's thread, if there is one. Nothing may be pushed afterwards.
  void close();

 private:
  class RecordedEvent;
  using Condition = std::function<bool()>;
  using Lock = std::unique_lock<std::mutex>;

  // Until `done`, which is asked with the lock held, or until everything has ended: runs
  // operations where no other thread does.
  void help_until(const Condition& done);

  // Runs operations until there are none, the next one's gate is closed, or `enough`, which is
  // asked between them with the lock held. Returns at once where another thread is in here.
  void run(const Condition& enough);

  // Runs the first operation, without the lock.
  void run_first(Lock& lock);

  // Whether there are operations that nobody is about to run.
  bool is_abandoned() const {
    return !operations_.empty() && !running_ && waiting_ == 0 && !is_gate_watched_;
  }

  // Has the executor's thread come, if there is one or one can be made.
  void call_thread();
  void serve();

  // Has the thread called again once the first operation's gate is ready.
  void watch_gate(Lock& lock);

  const Enter enter_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // An operation has ended, or running_ has become false.
  std::condition_variable called_;   // is_called_ or is_closed_ has become true.
  std::deque<Operation> operations_;
  std::exception_ptr first_error_;
  int waiting_ = 0;       // Threads in help_until.
  bool running_ = false;  // A thread runs operations.
  bool is_gate_watched_ = false;
  bool has_thread_ = false;
  bool is_called_ = false;
  bool is_closed_ = false;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_SERIAL_EXECUTOR_H_

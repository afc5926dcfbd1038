// Runs operations one after another in an arena: what a TbbQueue does.
//
// They run on whichever thread comes first: one that waits for them, or the executor's own, which
// is made when the first operation is to start with nobody waiting. It is not one of oneTBB's, so
// it takes none of the arena's workers away, and starts where all of them wait. Whoever waits takes
// over between two operations. An operation whose gate is closed holds up no thread.
#ifndef MILLRACE_BACKENDS_TBB_SERIAL_EXECUTOR_H_
#define MILLRACE_BACKENDS_TBB_SERIAL_EXECUTOR_H_

#include <tbb/task_arena.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include <millrace/runtime/event.h>

namespace millrace::tbb_backend {

struct Operation {
  std::function<void()> work;
  bool after_failure = false;  // Runs even when an operation before it has failed.
  Event gate;                  // Starts once this is ready.
};

// Thread-safe. Made by make_shared; its events and its thread keep it as long as they need it.
class SerialExecutor : public std::enable_shared_from_this<SerialExecutor> {
 public:
  // A caller that goes on to finish() need not wake the executor's thread.
  enum class Start { kNow, kAtWait };

  // `concurrency` as in QueueOptions.
  explicit SerialExecutor(int concurrency);

  void push(Operation operation, Start start);

  // Reached when everything pushed before has ended.
  Event record();

  // Returns when everything has ended.
  void finish();

  // The first error since the last call, if any.
  std::exception_ptr take_error();

  // Ends the executor's thread, if there is one. Nothing may be pushed afterwards.
  void close();

 private:
  class RecordedEvent;
  using Condition = std::function<bool()>;

  // Until `done`, which is asked with the lock held, or until everything has ended: runs
  // operations where no other thread does.
  void help_until(const Condition& done);

  // Runs operations until there are none, the next one's gate is closed, or `enough`, which is
  // asked between them with the lock held. Returns at once where another thread is in here.
  void run(const Condition& enough);

  // Has the executor's thread come.
  void call_thread();
  void serve();

  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable changed_;  // running_ has become false.
  std::condition_variable called_;   // is_called_ or is_closed_ has become true.
  std::deque<Operation> operations_;
  std::exception_ptr first_error_;
  int waiting_ = 0;       // Threads in help_until.
  bool running_ = false;  // A thread is in run.
  bool has_thread_ = false;
  bool is_called_ = false;
  bool is_closed_ = false;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_SERIAL_EXECUTOR_H_

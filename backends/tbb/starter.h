// Brings a thread to a queue that has work and nobody waiting for it.
#ifndef MILLRACE_BACKENDS_TBB_STARTER_H_
#define MILLRACE_BACKENDS_TBB_STARTER_H_

#include <tbb/task_arena.h>

#include <deque>
#include <functional>
#include <mutex>

namespace millrace::tbb_backend {

// One for the process, never destroyed: a thread of TBB may come after everything else has ended.
// What waits for it is kept here, not in TBB's own memory, where it would look lost at the end.
class Starter {
 public:
  static Starter& get();

  // Has a thread that is in no queue's arena call `action`, some time. Any thread may ask.
  void call(std::function<void()> action);

 private:
  Starter();

  void call_next();

  tbb::task_arena arena_;
  std::mutex mutex_;
  std::deque<std::function<void()>> actions_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_STARTER_H_

// Whether a run goes on, and why it stopped.
#ifndef MILLRACE_BACKENDS_TBB_RUN_STATUS_H_
#define MILLRACE_BACKENDS_TBB_RUN_STATUS_H_

#include <atomic>
#include <exception>
#include <mutex>

#include <millrace/runtime/task_set.h>

namespace millrace::tbb_backend {

// Shared by the workers of one run; the first failure wins.
class RunStatus {
 public:
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  void fail(TaskTag tag, int code);

  // Takes the exception being handled, thrown by a task of type `tag`.
  void fail_with_current_exception(TaskTag tag) noexcept;

  // Takes the exception being handled, thrown between tasks: there is no memory for them.
  void stop_with_current_exception() noexcept { stop(std::current_exception()); }

  // After all workers have ended: throws the failure, if any.
  void rethrow() const;

 private:
  void stop(std::exception_ptr error) noexcept;

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_RUN_STATUS_H_

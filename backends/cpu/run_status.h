// Whether a run goes on, and why it stopped.
#ifndef MILLRACE_BACKENDS_CPU_RUN_STATUS_H_
#define MILLRACE_BACKENDS_CPU_RUN_STATUS_H_

#include <atomic>
#include <exception>
#include <mutex>

#include <millrace/runtime/task_set.h>

namespace millrace::cpu {

// Shared by the workers of one run; the first failure wins, also over a cancellation before it.
class RunStatus {
 public:
  // Whether items not started when the run is cancelled are kept.
  explicit RunStatus(bool keep_unfinished = false) : keeps_unfinished_(keep_unfinished) {}

  bool keeps_unfinished() const { return keeps_unfinished_; }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  void fail(TaskTag tag, int code);

  // Takes the exception being handled, thrown by a task of type `tag`.
  void fail_with_current_exception(TaskTag tag) noexcept;

  // Takes the exception being handled, thrown between tasks: there is no memory for them.
  void stop_with_current_exception() noexcept { stop(std::current_exception()); }

  // Ends the run early. `reason`, of static storage, says why.
  void cancel(const char* reason) noexcept;

  // Why the run was cancelled, or null. After all workers have ended, like rethrow().
  const char* cancelled() const { return cancelled_; }

  // After all workers have ended: throws the failure, if any.
  void rethrow() const;

 private:
  void stop(std::exception_ptr error) noexcept;

  const bool keeps_unfinished_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  const char* cancelled_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_STATUS_H_

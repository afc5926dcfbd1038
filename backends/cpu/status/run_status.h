// SPDX-License-Identifier: Apache-2.0

// The status of a run: whether it continues, and the reason if it was stopped.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_RUN_STATUS_H_
#define MILLRACE_BACKENDS_CPU_STATUS_RUN_STATUS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>

namespace millrace::cpu {

// Shared by the workers of one run. The first failure takes precedence, also over an earlier
// cancellation.
class RunStatus {
 public:
  // `is_watched` is true if the run can be cancelled from outside; `keeps_on_failure` if items that
  // have not started when a task fails are kept.
  explicit RunStatus(bool is_watched = false, bool keeps_on_failure = false)
      : is_watched_(is_watched), keeps_on_failure_(keeps_on_failure) {}

  bool is_watched() const { return is_watched_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed) != Stop::kNone; }
  // Returns true if items that had not started when the run was stopped are kept.
  bool keeps_unfinished() const { return stop_.load(std::memory_order_relaxed) == Stop::kKept; }

  void fail(TaskTag tag, int code);

  // Records the exception being handled, thrown by a task of type `tag`. Items are dropped if it is
  // kInvalidArgument, because the task may have arrived where nothing waits and changed what others
  // own, or if `may_keep` is false.
  void fail_with_current_exception(TaskTag tag, bool may_keep = true) noexcept;

  // Records the exception being handled, thrown between tasks because memory for them ran out.
  // Items are dropped, because some may be lost.
  void stop_with_current_exception() noexcept { stop(std::current_exception(), /*keeps=*/false); }

  // Sets a function, or none, that is called whenever the run is stopped, after stopped() has
  // become true, by the thread that stops it. It must not throw or call this object.
  void set_on_stop(std::function<void()> on_stop);

  // Ends the run early, unless it has ended. `reason`, of static storage duration, is the reason.
  // `keeps` is true if items that have not started are kept.
  void cancel(const char* reason, bool keeps) noexcept;

  // Withdraws a cancellation. Called after all workers have ended, none of them by a failure.
  void resume() noexcept;

  // Returns the reason of the cancellation, or null. Called, like rethrow(), after all workers have
  // ended.
  const char* cancelled() const { return cancelled_; }

  // Throws the failure, if any. Called after all workers have ended.
  void rethrow() const;
  bool has_failed() const { return error_ != nullptr; }

 private:
  enum class Stop { kNone, kDropped, kKept };

  void stop(std::exception_ptr error, bool keeps) noexcept;
  void set_stop(Stop stop) noexcept;  // Called with the mutex.

  const bool is_watched_;
  const bool keeps_on_failure_;
  std::function<void()> on_stop_;
  std::atomic<Stop> stop_ = Stop::kNone;
  std::mutex mutex_;
  const char* cancelled_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_RUN_STATUS_H_

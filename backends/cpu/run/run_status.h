// SPDX-License-Identifier: Apache-2.0

// Whether a run goes on, and why it stopped.
#ifndef MILLRACE_BACKENDS_CPU_RUN_RUN_STATUS_H_
#define MILLRACE_BACKENDS_CPU_RUN_RUN_STATUS_H_

#include <atomic>
#include <exception>
#include <mutex>

#include <millrace/runtime/tasks/task_set.h>

namespace millrace::cpu {

// Shared by the workers of one run; the first failure wins, also over a cancellation before it.
class RunStatus {
 public:
  // `is_watched`: something outside of the run may cancel it.
  explicit RunStatus(bool is_watched = false) : is_watched_(is_watched) {}

  bool is_watched() const { return is_watched_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed) != Stop::kNone; }
  // Whether items not started when the run was stopped are kept.
  bool keeps_unfinished() const { return stop_.load(std::memory_order_relaxed) == Stop::kKept; }

  void fail(TaskTag tag, int code);

  // Takes the exception being handled, thrown by a task of type `tag`.
  void fail_with_current_exception(TaskTag tag) noexcept;

  // Takes the exception being handled, thrown between tasks: there is no memory for them.
  void stop_with_current_exception() noexcept { stop(std::current_exception()); }

  // Ends the run early, unless it has been ended. `reason`, of static storage, says why, and
  // `keeps` whether items not started are kept.
  void cancel(const char* reason, bool keeps) noexcept;

  // After all workers have ended, none of them by a failure: takes a cancellation back.
  void go_on() noexcept;

  // Why the run was cancelled, or null. After all workers have ended, like rethrow().
  const char* cancelled() const { return cancelled_; }

  // After all workers have ended: throws the failure, if any.
  void rethrow() const;
  bool has_failed() const { return error_ != nullptr; }

 private:
  enum class Stop { kNone, kDropped, kKept };

  void stop(std::exception_ptr error) noexcept;

  const bool is_watched_;
  std::atomic<Stop> stop_ = Stop::kNone;
  std::mutex mutex_;
  const char* cancelled_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_RUN_STATUS_H_

// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/core/error.h>

#include <new>
#include <string>
#include <utility>

namespace millrace::cpu {
namespace {

std::string task_name(TaskTag tag) {
  return "a task of type " + std::to_string(tag) + " of its set";
}

// Returns the error that the run throws for the exception being handled. Sets `is_misuse` if a task
// has called its context with wrong arguments.
std::exception_ptr error_of_task(TaskTag tag, bool& is_misuse) {
  try {
    throw;
  } catch (const Error& error) {
    is_misuse = error.code() == ErrorCode::kInvalidArgument;
    return std::current_exception();
  } catch (const std::bad_alloc&) {
    return std::make_exception_ptr(
        Error(ErrorCode::kOutOfMemory, "the host's memory ran out in " + task_name(tag)));
  } catch (const std::exception& error) {
    return std::make_exception_ptr(
        Error(ErrorCode::kTaskFailed, task_name(tag) + " threw: " + error.what()));
  } catch (...) {
    return std::make_exception_ptr(
        Error(ErrorCode::kTaskFailed,
              task_name(tag) + " threw an exception that is not a std::exception"));
  }
}

}  // namespace

void RunStatus::fail(TaskTag tag, int code) {
  stop(std::make_exception_ptr(Error(ErrorCode::kTaskFailed,
                                     task_name(tag) + " failed with code " + std::to_string(code),
                                     code)),
       /*keeps=*/true);
}

void RunStatus::fail_with_current_exception(TaskTag tag, bool may_keep) noexcept {
  try {
    bool is_misuse = false;
    const std::exception_ptr error = error_of_task(tag, is_misuse);
    stop(error, may_keep && !is_misuse);
  } catch (...) {  // Out of memory while the message was built.
    stop_with_current_exception();
  }
}

void RunStatus::set_on_stop(std::function<void()> on_stop) {
  const std::lock_guard lock(mutex_);
  on_stop_ = std::move(on_stop);
}

void RunStatus::cancel(const char* reason, bool keeps) noexcept {
  const std::lock_guard lock(mutex_);
  if (stopped()) return;
  cancelled_ = reason;
  set_stop(keeps ? Stop::kKept : Stop::kDropped);
}

void RunStatus::resume() noexcept {
  const std::lock_guard lock(mutex_);
  cancelled_ = nullptr;
  stop_.store(Stop::kNone, std::memory_order_relaxed);
}

void RunStatus::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

void RunStatus::stop(std::exception_ptr error, bool keeps) noexcept {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  const bool is_dropped = stop_.load(std::memory_order_relaxed) == Stop::kDropped;
  set_stop(keeps && keeps_on_failure_ && !is_dropped ? Stop::kKept : Stop::kDropped);
}

// The fence pairs with the one of a worker that lets tasks nest (persistent_runner.h).
void RunStatus::set_stop(Stop stop) noexcept {
  stop_.store(stop, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (on_stop_) on_stop_();
}

}  // namespace millrace::cpu

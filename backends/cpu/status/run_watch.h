// SPDX-License-Identifier: Apache-2.0

// Stops a run at its deadline, or when its owner requests it.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_
#define MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_

#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <stop_token>

namespace millrace::cpu {

inline constexpr auto kNever = std::chrono::nanoseconds::max();

// The reason with which a run is cancelled that is to be sampled (runtime/auto/automatic_run.h).
inline constexpr char kStoppedToSample[] = "the run was stopped to be sampled";

// Returns true if the run was cancelled to be sampled. Compares the text, because a program and the
// shared library have one constant each.
inline bool is_stopped_to_sample(const RunStatus& status) {
  const char* const why = status.cancelled();
  return why != nullptr && std::strcmp(why, kStoppedToSample) == 0;
}

class WatchTimer;

// Cancels `status` as `options` request, or after `sample_after` unless that is kNever, while this
// object lives. Items that have not started are kept for a sample, or if `options` request it. Time
// counts from the constructor. It uses a timer (watch_timer.h), which is a thread, if there is a
// time to wait for, and nothing otherwise. If no thread can be created, a deadline is an error, and
// a sample is omitted.
class RunWatch {
 public:
  RunWatch(const RunOptions& options, std::chrono::nanoseconds sample_after, RunStatus& status);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

 private:
  struct OnRequest {
    RunStatus& status;
    bool keeps;
    void operator()() const noexcept { status.cancel(kStoppedByRequest, keeps); }
  };

  const std::stop_callback<OnRequest> on_request_;
  std::unique_ptr<WatchTimer> timer_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_

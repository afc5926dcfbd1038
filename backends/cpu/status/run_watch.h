// SPDX-License-Identifier: Apache-2.0

// Stops a run at its deadline, or when its owner requests it.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_
#define MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>

#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/tasks/run_tasks.h>

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

// Cancels `status` as `options` request, or after `sample_after` unless that is kNever, while this
// object lives. Items that have not started are kept for a sample, or if `options` request it. Time
// counts from the constructor. It uses a thread if there is a time to wait for, and nothing
// otherwise. If no thread can be created, a deadline is an error, and a sample is omitted.
class RunWatch {
 public:
  RunWatch(const RunOptions& options, std::chrono::nanoseconds sample_after, RunStatus& status);

 private:
  struct OnRequest {
    RunStatus& status;
    bool keeps;
    void operator()() const noexcept { status.cancel(kStoppedByRequest, keeps); }
  };

  // Waits until `at`, or until `ended` is requested.
  void wait(const std::stop_token& ended, std::chrono::steady_clock::time_point at, bool is_sample);

  RunStatus& status_;
  const bool keeps_unfinished_;
  const std::stop_callback<OnRequest> on_request_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread timer_;  // Declared last, because it uses the others.
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_RUN_WATCH_H_

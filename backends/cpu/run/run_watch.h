// SPDX-License-Identifier: Apache-2.0

// Stops a run at its deadline, or when its owner asks for it.
#ifndef MILLRACE_BACKENDS_CPU_RUN_RUN_WATCH_H_
#define MILLRACE_BACKENDS_CPU_RUN_RUN_WATCH_H_

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>

#include <millrace/backends/cpu/run/run_status.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace::cpu {

inline constexpr auto kNever = std::chrono::nanoseconds::max();

// What a run is cancelled with that is to be looked at (runtime/auto/automatic_run.h).
inline constexpr char kStoppedForALook[] = "the run was stopped to be looked at";

// Whether it was. By its words: a program and the shared library have a constant of their own each.
inline bool is_stopped_for_a_look(const RunStatus& status) {
  const char* const why = status.cancelled();
  return why != nullptr && std::strcmp(why, kStoppedForALook) == 0;
}

// Cancels `status` as `options` say, or after `look_after` unless that is kNever, as long as this
// lives; what has not started is kept for a look, or where `options` say so. Time counts from here.
// Costs a thread where there is a time to wait for, and nothing else. Where none can be made, a
// deadline is an error, and a look does without.
class RunWatch {
 public:
  RunWatch(const RunOptions& options, std::chrono::nanoseconds look_after, RunStatus& status);

 private:
  struct OnRequest {
    RunStatus& status;
    bool keeps;
    void operator()() const noexcept { status.cancel(kStoppedByRequest, keeps); }
  };

  // Until `at`, or until `ended`.
  void wait(const std::stop_token& ended, std::chrono::steady_clock::time_point at, bool is_look);

  RunStatus& status_;
  const bool keeps_unfinished_;
  const std::stop_callback<OnRequest> on_request_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread timer_;  // Last: it uses the others.
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_RUN_WATCH_H_

// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_watch.h>
#include <millrace/backends/cpu/status/watch_timer.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace millrace::cpu {

RunWatch::RunWatch(const RunOptions& options, std::chrono::nanoseconds sample_after,
                   RunStatus& status)
    : on_request_(options.stop, OnRequest{status, options.keep_unfinished}) {
  const auto deadline = options.deadline.count() == 0 ? kNever : options.deadline;
  if (deadline == kNever && sample_after == kNever) return;
  const bool is_sample = sample_after < deadline;
  const char* const why = is_sample ? kStoppedToSample : kStoppedByDeadline;
  const bool keeps = is_sample || options.keep_unfinished;
  try {
    timer_ = timer_source().start(std::min(sample_after, deadline),
                                  [&status, why, keeps] { status.cancel(why, keeps); });
  } catch (const std::system_error& error) {
    // Without a thread the run is not sampled, and keeps its policy.
    if (deadline == kNever) return;
    throw Error(ErrorCode::kOutOfMemory,
                std::string("could not create a thread to watch the deadline: ") + error.what());
  }
}

RunWatch::~RunWatch() = default;

}  // namespace millrace::cpu

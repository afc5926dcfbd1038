// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_watch.h>

#include <algorithm>
#include <system_error>

#include <millrace/runtime/core/error.h>

namespace millrace::cpu {
namespace {

using Clock = std::chrono::steady_clock;

// Returns the time after `delay`, or the latest time there is.
Clock::time_point after(std::chrono::nanoseconds delay) {
  const Clock::time_point now = Clock::now();
  return delay < Clock::time_point::max() - now ? now + delay : Clock::time_point::max();
}

}  // namespace

RunWatch::RunWatch(const RunOptions& options, std::chrono::nanoseconds sample_after,
                   RunStatus& status)
    : status_(status),
      keeps_unfinished_(options.keep_unfinished),
      on_request_(options.stop, OnRequest{status, options.keep_unfinished}) {
  const auto deadline = options.deadline.count() == 0 ? kNever : options.deadline;
  if (deadline == kNever && sample_after == kNever) return;
  const bool is_sample = sample_after < deadline;
  try {
    timer_ = std::jthread([this, is_sample, at = after(std::min(sample_after, deadline))](
                              const std::stop_token& ended) { wait(ended, at, is_sample); });
  } catch (const std::system_error& error) {
    // Without a thread the run is not sampled, and keeps its policy.
    if (deadline == kNever) return;
    throw Error(ErrorCode::kOutOfMemory,
                std::string("could not create a thread to watch the deadline: ") + error.what());
  }
}

void RunWatch::wait(const std::stop_token& ended, Clock::time_point at, bool is_sample) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, ended, at, [] { return false; });
  if (ended.stop_requested()) return;
  if (is_sample) {
    status_.cancel(kStoppedToSample, /*keeps=*/true);
  } else {
    status_.cancel(kStoppedByDeadline, keeps_unfinished_);
  }
}

}  // namespace millrace::cpu

#include <millrace/backends/cpu/run_watch.h>

#include <algorithm>
#include <system_error>

#include <millrace/runtime/error.h>

namespace millrace::cpu {
namespace {

using Clock = std::chrono::steady_clock;

// Now and `delay`, or the end of time.
Clock::time_point after(std::chrono::nanoseconds delay) {
  const Clock::time_point now = Clock::now();
  return delay < Clock::time_point::max() - now ? now + delay : Clock::time_point::max();
}

}  // namespace

RunWatch::RunWatch(const RunOptions& options, std::chrono::nanoseconds look_after,
                   RunStatus& status)
    : status_(status), on_request_(options.stop, OnRequest{status}) {
  constexpr auto kNever = std::chrono::nanoseconds::max();
  const auto deadline = options.deadline.count() == 0 ? kNever : options.deadline;
  if (deadline == kNever && look_after == kNever) return;
  const char* const reason = look_after < deadline ? kStoppedForALook : kStoppedByDeadline;
  try {
    timer_ = std::jthread([this, reason, at = after(std::min(look_after, deadline))](
                              const std::stop_token& ended) { wait(ended, at, reason); });
  } catch (const std::system_error& error) {
    if (deadline == kNever) return;  // A run that cannot be looked at stays as it is.
    throw Error(ErrorCode::kOutOfMemory,
                std::string("no thread could be made to watch the deadline: ") + error.what());
  }
}

void RunWatch::wait(const std::stop_token& ended, Clock::time_point deadline, const char* reason) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, ended, deadline, [] { return false; });
  if (!ended.stop_requested()) status_.cancel(reason);
}

}  // namespace millrace::cpu

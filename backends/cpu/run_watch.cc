#include <millrace/backends/cpu/run_watch.h>

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

RunWatch::RunWatch(const RunOptions& options, RunStatus& status)
    : status_(status), on_request_(options.stop, OnRequest{status}) {
  if (options.deadline.count() == 0) return;
  try {
    timer_ = std::jthread([this, deadline = after(options.deadline)](const std::stop_token& ended) {
      wait(ended, deadline);
    });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::kOutOfMemory,
                std::string("no thread could be made to watch the deadline: ") + error.what());
  }
}

void RunWatch::wait(const std::stop_token& ended, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, ended, deadline, [] { return false; });
  if (!ended.stop_requested()) status_.cancel(kStoppedByDeadline);
}

}  // namespace millrace::cpu

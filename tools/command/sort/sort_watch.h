// SPDX-License-Identifier: Apache-2.0

// Shows the progress of a long sort, and ends it at a signal.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_WATCH_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_WATCH_H_

#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <cstdint>

namespace millrace::tools {

// Moves the progress bar, and stops the work when a signal came.
class SortWatch {
 public:
  // `interrupt` must outlive this object; `all_bytes` is the sum of all calls of advance().
  SortWatch(const InterruptGuard& interrupt, std::uint64_t all_bytes)
      : interrupt_(interrupt), progress_(static_cast<std::int64_t>(all_bytes / kStep)) {}

  // Throws Error(kCancelled) once a signal has come. Any thread may call.
  void check() const {
    if (interrupt_.interrupted()) throw Error(ErrorCode::kCancelled, "interrupted");
  }

  // Adds bytes that were read, sorted, merged or checked, and then does the same as check(). One
  // thread at a time.
  void advance(std::uint64_t bytes) {
    for (bytes_ += bytes; bytes_ >= kStep; bytes_ -= kStep) progress_.advance();
    check();
  }

 private:
  static constexpr std::uint64_t kStep = std::uint64_t{256} << 10;

  const InterruptGuard& interrupt_;
  Progress progress_;
  std::uint64_t bytes_ = 0;  // Bytes since the bar moved.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_WATCH_H_

// SPDX-License-Identifier: Apache-2.0

// Stop requests from signals.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_INTERRUPT_STOP_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_INTERRUPT_STOP_H_

#include <millrace/tools/files/interrupt_guard.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace millrace::tools {

// Requests a stop once a signal has come, while this object lives.
class InterruptStop {
 public:
  // `interrupt` must outlive this object.
  explicit InterruptStop(const InterruptGuard& interrupt)
      : thread_([this, &interrupt](const std::stop_token& end) {
          while (!end.stop_requested() && !interrupt.interrupted()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
          if (interrupt.interrupted()) stop_.request_stop();
        }) {}

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_INTERRUPT_STOP_H_

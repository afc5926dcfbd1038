// SPDX-License-Identifier: Apache-2.0

// A progress bar on stderr if that is a terminal.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_

#include <boost/timer/progress_display.hpp>

#include <cstdint>
#include <memory>

namespace millrace::tools {

class Progress {
 public:
  // Shows nothing unless stderr is a terminal and `expected`, the number of steps, is above a
  // threshold; 0: unknown.
  explicit Progress(std::int64_t expected);
  // Ends the line of an incomplete bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Advances by one step; steps past the expected number are not shown.
  void advance();

 private:
  std::unique_ptr<boost::timer::progress_display> display_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_

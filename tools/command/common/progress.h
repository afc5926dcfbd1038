// SPDX-License-Identifier: Apache-2.0

// A progress bar on stderr for people, nothing for pipes.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_

#include <cstdint>
#include <memory>

#include <boost/timer/progress_display.hpp>

namespace millrace::tools {

class Progress {
 public:
  // Shows nothing unless stderr is a terminal and `expected` steps, more than a few, are known.
  explicit Progress(std::int64_t expected);
  // Ends the line of a bar that did not come to its end.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // One step; steps past the expected number are not shown.
  void advance();

 private:
  std::unique_ptr<boost::timer::progress_display> display_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_PROGRESS_H_

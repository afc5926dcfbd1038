// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/progress.h>

#include <unistd.h>

#include <iostream>

namespace millrace::tools {

Progress::Progress(std::int64_t expected) {
  constexpr std::int64_t kThreshold = 3;
  if (expected > kThreshold && isatty(STDERR_FILENO) != 0) {
    display_ = std::make_unique<boost::timer::progress_display>(
        static_cast<unsigned long>(expected), std::cerr, "", "", "");
  }
}

Progress::~Progress() {
  if (display_ && display_->count() < display_->expected_count()) std::cerr << '\n';
}

void Progress::advance() {
  if (display_ && display_->count() < display_->expected_count()) ++*display_;
}

}  // namespace millrace::tools

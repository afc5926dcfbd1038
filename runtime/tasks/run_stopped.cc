// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/run_stopped.h>

#include <numeric>

namespace millrace {

std::uint64_t total_tasks(const RunProgress& progress) noexcept {
  return std::accumulate(progress.tasks_by_type.begin(), progress.tasks_by_type.end(),
                         std::uint64_t{0});
}

std::string with_progress(const std::string& reason, const RunProgress& progress) {
  std::string text = reason + ": " + std::to_string(total_tasks(progress)) + " tasks ran, ";
  return text + (progress.tasks_left ? std::to_string(*progress.tasks_left) + " remain"
                                     : "an unknown number remain");
}

RunStopped::RunStopped(ErrorCode code, const std::string& reason, RunProgress progress,
                       std::source_location where)
    : Error(code, with_progress(reason, progress), where),
      progress_(std::make_shared<const RunProgress>(std::move(progress))) {}

std::uint64_t RunStopped::tasks_run() const noexcept { return total_tasks(*progress_); }

}  // namespace millrace

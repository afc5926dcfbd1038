// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/run_stopped.h>

#include <numeric>

namespace millrace {
namespace {

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::string message(const std::string& reason, const RunProgress& progress) {
  std::string text = reason + ": " + std::to_string(total(progress.tasks_by_type)) + " tasks ran, ";
  return text + (progress.tasks_left ? std::to_string(*progress.tasks_left) + " remain"
                                     : "an unknown number remain");
}

}  // namespace

RunStopped::RunStopped(ErrorCode code, const std::string& reason, RunProgress progress,
                       std::source_location where)
    : Error(code, message(reason, progress), where),
      progress_(std::make_shared<const RunProgress>(std::move(progress))) {}

std::uint64_t RunStopped::tasks_run() const noexcept { return total(progress_->tasks_by_type); }

}  // namespace millrace

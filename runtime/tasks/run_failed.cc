// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/run_failed.h>

#include <utility>

namespace millrace {

RunFailed::RunFailed(const Error& failure, RunProgress progress)
    : Error(failure.code(), with_progress(failure.what(), progress), failure.detail(),
            failure.where()),
      failure_(std::make_shared<const Error>(failure)),
      progress_(std::make_shared<const RunProgress>(std::move(progress))) {}

std::uint64_t RunFailed::tasks_run() const noexcept { return total_tasks(*progress_); }

}  // namespace millrace

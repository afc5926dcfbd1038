// SPDX-License-Identifier: Apache-2.0

// The errors of a run that has failed, with the tasks that it has not started.
//
//   SharedTasks<Tasks> tasks = ...;
//   try {
//     run_tasks(group, tasks, {.keep_unfinished = true});
//   } catch (const FailedRun<Tasks>& failed) {
//     log(failed.what());                 // "cuda:1: a task of type 0 of its set failed ..."
//     tasks.roots = failed.remaining();
//     run_tasks(other_group, tasks);
//   }
#ifndef MILLRACE_RUNTIME_TASKS_RUN_FAILED_H_
#define MILLRACE_RUNTIME_TASKS_RUN_FAILED_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace millrace {

// Has the code, the detail and the source location of the failure. The message is that of the
// failure, then the numbers of tasks that ran and that remain. Copies share their data.
class RunFailed : public Error {
 public:
  RunFailed(const Error& failure, RunProgress progress);

  // Returns the error that the run throws without RunOptions::keep_unfinished.
  const Error& failure() const noexcept { return *failure_; }

  // Returns the number of tasks run, by the tag of their type. Tasks that have failed are among
  // them.
  const std::vector<std::uint64_t>& tasks_by_type() const noexcept {
    return progress_->tasks_by_type;
  }
  std::uint64_t tasks_run() const noexcept;

  // Returns the number of tasks not started. Has no value if a device has failed whose memory, and
  // the tasks in it, cannot be read: which of these had run is not known.
  std::optional<std::uint64_t> tasks_left() const noexcept { return progress_->tasks_left; }
  const std::vector<WorkerTrace>& workers() const noexcept { return progress_->workers; }

 private:
  std::shared_ptr<const Error> failure_;
  std::shared_ptr<const RunProgress> progress_;
};

// It is thrown instead of the failure's error if RunOptions::keep_unfinished is set, unless nothing
// of the run could be kept.
template <class Set>
class FailedRun : public RunFailed {
 public:
  // `progress.tasks_left` is the size of `remaining`, or has no value if tasks are lost.
  FailedRun(const Error& failure, RunProgress progress, TaskList<Set> remaining)
      : RunFailed(failure, std::move(progress)),
        remaining_(std::make_shared<const TaskList<Set>>(std::move(remaining))) {}

  // Returns tasks that have not been started, and the open joins at which they arrive: all of them
  // if tasks_left() has a value. A task that failed is not among them; those that it had spawned
  // before are. A join at which a failed task had yet to arrive stays open, so that a run of these
  // tasks ends with kTaskFailed unless a task that arrives there is added. The reference is valid
  // as long as a copy of this error exists.
  const TaskList<Set>& remaining() const noexcept { return *remaining_; }

 private:
  std::shared_ptr<const TaskList<Set>> remaining_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_FAILED_H_

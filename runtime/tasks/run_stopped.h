// SPDX-License-Identifier: Apache-2.0

// The errors of a run that ended before all its tasks had run: it reached its deadline, was stopped
// by request, or had no memory left for the tasks it spawned.
//
//   TaskList<Tasks> rest{Split{0, n}};
//   while (!rest.empty()) {
//     try {
//       run_tasks(*queue, rest, {.deadline = 10ms, .keep_unfinished = true});
//       rest.clear();
//     } catch (const UnfinishedRun<Tasks>& stopped) {
//       rest = stopped.remaining();
//       draw_what_is_there();
//     }
//   }
#ifndef MILLRACE_RUNTIME_TASKS_RUN_STOPPED_H_
#define MILLRACE_RUNTIME_TASKS_RUN_STOPPED_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace millrace {

// The state of one worker when its run stopped.
struct WorkerTrace {
  std::uint64_t heartbeat = 0;       // Number of times it took work, one task or several.
  TaskTag last_type = 0;             // Type of the task it took last; 0 if heartbeat is 0.
  std::vector<std::byte> last_task;  // Bytes of that task as it was taken; empty if unknown.
  bool is_running = false;           // True if it was running that task.
};

// The progress of a run that ended early. Every task that was started has been finished, or has
// failed.
struct RunProgress {
  std::vector<std::uint64_t> tasks_by_type;  // Number of tasks run, by the tag of their type.
  std::optional<std::uint64_t> tasks_left;   // Number of tasks not started, if it is known.
  std::vector<WorkerTrace> workers;
};

// Returns the number of tasks run.
std::uint64_t total_tasks(const RunProgress& progress) noexcept;

// Returns the message of a run that ended for this reason: it states how many tasks ran and remain.
std::string with_progress(const std::string& reason, const RunProgress& progress);

// The beginnings of the messages of kCancelled.
inline constexpr char kStoppedByDeadline[] = "the run was stopped by its deadline";
inline constexpr char kStoppedByRequest[] = "the run was stopped by request";

// Has the code kCancelled for a deadline or a stop request, and kOutOfMemory if the host had no
// memory left to spill tasks to, or there was no device memory or pinned memory for open joins or a
// launch. The message is `reason`, then the numbers of tasks that ran and that remain. Copies share
// their data.
class RunStopped : public Error {
 public:
  RunStopped(ErrorCode code, const std::string& reason, RunProgress progress,
             std::source_location where = std::source_location::current());

  const std::vector<std::uint64_t>& tasks_by_type() const noexcept {
    return progress_->tasks_by_type;
  }
  std::uint64_t tasks_run() const noexcept;
  std::optional<std::uint64_t> tasks_left() const noexcept { return progress_->tasks_left; }
  const std::vector<WorkerTrace>& workers() const noexcept { return progress_->workers; }

 private:
  std::shared_ptr<const RunProgress> progress_;
};

// A stopped run that returns the tasks it has not started. It is thrown instead of RunStopped if
// RunOptions::keep_unfinished is set, and with kOutOfMemory unless the host had no memory left to
// hold these tasks.
template <class Set>
class UnfinishedRun : public RunStopped {
 public:
  // Sets `progress.tasks_left` to the size of `remaining`.
  UnfinishedRun(ErrorCode code, const std::string& reason, RunProgress progress,
                TaskList<Set> remaining,
                std::source_location where = std::source_location::current())
      : RunStopped(code, reason, with_tasks_left(std::move(progress), remaining.size()), where),
        remaining_(std::make_shared<const TaskList<Set>>(std::move(remaining))) {}

  // Returns every task not started, including spawned ones; roots of IndexedTasks are made as
  // T{arguments, index}. Running these later gives the result of a run that was not stopped. The
  // reference is valid as long as a copy of this error exists.
  const TaskList<Set>& remaining() const noexcept { return *remaining_; }

 private:
  static RunProgress with_tasks_left(RunProgress progress, std::uint64_t count) {
    progress.tasks_left = count;
    return progress;
  }

  std::shared_ptr<const TaskList<Set>> remaining_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_STOPPED_H_

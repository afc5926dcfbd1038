// SPDX-License-Identifier: Apache-2.0

// What a run throws that ended before all its tasks had run: by its deadline, by request, or
// because there was no memory left for what its tasks spawned.
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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

namespace millrace {

// What one worker was at when its run stopped.
struct WorkerTrace {
  std::uint64_t heartbeat = 0;       // Times it took work: one task or several.
  TaskTag last_type = 0;             // Of the task it took last; 0 while heartbeat is.
  std::vector<std::byte> last_task;  // That task as it was taken; empty where it is not known.
  bool is_running = false;           // It was running that task.
};

// How far a run came. Tasks that ran have run to their end.
struct RunProgress {
  std::vector<std::uint64_t> tasks_by_type;  // Tasks that ran, by the type's place in the set.
  std::optional<std::uint64_t> tasks_left;   // Tasks not started, where they are known.
  std::vector<WorkerTrace> workers;
};

// What messages of kCancelled begin with.
inline constexpr char kStoppedByDeadline[] = "the run was stopped by its deadline";
inline constexpr char kStoppedByRequest[] = "the run was stopped by request";

// kCancelled for a deadline or a stop request, kOutOfMemory where nothing was left to spill to. The
// message is `reason`, then how many tasks ran and how many remain. Copies share what they carry.
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

// A stopped run that hands back what it has not started: as RunOptions::keep_unfinished asks, and
// with kOutOfMemory, unless the host had no memory left to hold it.
template <class Set>
class UnfinishedRun : public RunStopped {
 public:
  // `progress.tasks_left` is taken from `remaining`.
  UnfinishedRun(ErrorCode code, const std::string& reason, RunProgress progress,
                TaskList<Set> remaining,
                std::source_location where = std::source_location::current())
      : RunStopped(code, reason, with_tasks_left(std::move(progress), remaining.size()), where),
        remaining_(std::make_shared<const TaskList<Set>>(std::move(remaining))) {}

  // Every task not started, spawned ones too; roots of IndexedTasks are made as T{arguments,
  // index}. Running these later comes to the same as if the run had not been stopped. Lives as long
  // as a copy of this error.
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

// SPDX-License-Identifier: Apache-2.0

// Runs a queue of irregular tasks, and all they spawn, on a Queue's device.
//
//   RunReport report = run_tasks(*queue, TaskList<Tasks>{Split{0, n}},
//                                {.policy = Policy::kPersistentThreads});
//
// A task set is compiled once for each backend, in a source of its own that says
//   #include MILLRACE_TARGET
//   const millrace::target::RegisterTasks<Tasks> registered;
// and is built with millrace_task_set (tools/millrace.bzl).
#ifndef MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_
#define MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/op_table.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace {

// Items a run can start with; what they spawn is not limited.
inline constexpr std::size_t kMaxRoots = std::numeric_limits<std::uint32_t>::max();

struct RunOptions {
  Policy policy = Policy::kAuto;

  // Stops the run so long after its start, unless it has ended; 0: never. Tasks that are running
  // then are finished, no other is started once a worker has heard of it, and the run throws
  // RunStopped. A worker of a CPU hears of it between two tasks or after some ten microseconds of
  // short ones; of a GPU's, which look about every 300 microseconds, one may start some hundred
  // more units of a queue's first items, and a few of what they spawn.
  std::chrono::nanoseconds deadline{0};

  // Stops the run likewise when a stop is requested, be it before its start.
  std::stop_token stop{};

  // What a stopped run throws is an UnfinishedRun, with the tasks it has not started.
  bool keep_unfinished = false;

  // Host memory for tasks that find no room on the device; 0: as much as the host can spare. A CPU
  // has no need of it.
  std::size_t spill_bytes = 0;
};

// One run on its way to a backend.
template <class Roots>
struct TaskRun {
  std::shared_ptr<const Roots> roots;
  RunOptions options;
  std::shared_ptr<RunReport> report;  // Written once the run has succeeded, and not before.
  bool caller_waits;                  // The caller goes straight on to Queue::wait.
};

// The OpTable entry that enqueues a run.
template <class Roots>
struct RunTasksOp {
  using Function = void(Queue&, TaskRun<Roots>);
};

namespace internal {

template <class Roots>
std::shared_ptr<RunReport> launch(Queue& queue, std::shared_ptr<const Roots> roots,
                                  const RunOptions& options, bool caller_waits) {
  if (options.deadline.count() < 0) {
    throw Error(ErrorCode::kInvalidArgument, "deadline is " +
                                                 std::to_string(options.deadline.count()) +
                                                 " ns; it is 0 for none, or positive");
  }
  if (roots->size() > kMaxRoots) {
    throw Error(ErrorCode::kInvalidArgument, "the run has " + std::to_string(roots->size()) +
                                                 " roots; at most " + std::to_string(kMaxRoots) +
                                                 " start a run");
  }
  if (Roots::Set::kTypes > 1 && roots->size() > 0 && roots->tag_data() == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "tags is null; a set of several task types needs a tag for each item");
  }
  auto report = std::make_shared<RunReport>();
  OpTable<RunTasksOp<Roots>>::at(queue)(queue, {std::move(roots), options, report, caller_waits});
  return report;
}

}  // namespace internal

// Waits for everything in the queue, runs the roots and their descendants, and says what ran.
// `roots` is a TaskList or IndexedTasks. Throws what Queue::wait throws: kTaskFailed with the
// code of the first task that failed (or the words of the C++ exception it threw, on a CPU) once
// everything in flight has drained; RunStopped or UnfinishedRun (runtime/tasks/run_stopped.h) when
// the deadline, a stop request or a lack of memory for spawned tasks ended it early; kUnsupported
// where the set is not linked for the device's backend. Where several threads wait for one queue,
// one of them is thrown the error, and a run of another that failed or was skipped ends with
// kCancelled.
template <class Roots>
RunReport run_tasks(Queue& queue, const Roots& roots, const RunOptions& options = {}) {
  const std::shared_ptr<const Roots> borrowed(&roots, [](const Roots*) {});
  const auto report = internal::launch(queue, borrowed, options, /*caller_waits=*/true);
  queue.wait();
  if (report->policy == Policy::kAuto) {
    throw Error(ErrorCode::kCancelled,
                "the run failed or was skipped; another thread that waited for the queue was told "
                "why");
  }
  return *report;
}

// Enqueues the same and returns at once. The report is complete when the queue has passed the run
// (Queue::wait, or an Event recorded after it); errors come from Queue::wait.
template <class Roots>
std::shared_ptr<const RunReport> submit_tasks(Queue& queue, Roots roots,
                                              const RunOptions& options = {}) {
  return internal::launch(queue, std::make_shared<const Roots>(std::move(roots)), options,
                          /*caller_waits=*/false);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_

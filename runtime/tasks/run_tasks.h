// SPDX-License-Identifier: Apache-2.0

// Runs a queue of irregular tasks, and all tasks that these spawn, on a Queue's device.
//
//   RunReport report = run_tasks(*queue, TaskList<Tasks>{Split{0, n}},
//                                {.policy = Policy::kPersistentThreads});
//
// A task set is compiled once for each backend, in a source of its own that contains
//   #include MILLRACE_TARGET
//   const millrace::target::RegisterTasks<Tasks> registered;
// and is built with millrace_task_set (tools/millrace.bzl).
#ifndef MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_
#define MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace millrace {

// Maximum number of roots of a run. The number of spawned tasks is not limited.
inline constexpr std::size_t kMaxRoots = std::numeric_limits<std::uint32_t>::max();

struct RunOptions {
  Policy policy = Policy::kAuto;

  // Stops the run this long after its start; 0 means never. Running tasks are finished, a worker
  // starts no other task once it has received the stop request, and the run throws RunStopped. A
  // CPU worker polls for the request between two tasks, or about every ten microseconds if tasks
  // are short. GPU workers poll about every 300 microseconds, so one may start some hundred more
  // units of the roots and some of the tasks that these spawn.
  std::chrono::nanoseconds deadline{0};

  // Stops the run in the same way when a stop is requested, even before its start.
  std::stop_token stop{};

  // If true, a stopped run throws UnfinishedRun, and a failed one FailedRun, which hold the tasks
  // that it has not started. Workers end a failed run then as they end a stopped one.
  bool keep_unfinished = false;

  // Bytes of host memory for tasks that do not fit on the device, also those that wait for a later
  // level; 0 means as much as the host can spare. The run's roots do not count. CPUs ignore it.
  std::size_t spill_bytes = 0;
};

// A run that is passed to a backend.
template <class Roots>
struct TaskRun {
  std::shared_ptr<const Roots> roots;
  RunOptions options;
  std::shared_ptr<RunReport> report;  // Written only when the run has succeeded.
  bool caller_waits;                  // True if the caller calls Queue::wait next.
  // The device's side of a run that several devices share; null if this is the whole run. Exists
  // until the queue has finished the run.
  Participant<typename Roots::Set>* participant = nullptr;
};

// The OpTable entry that enqueues a run.
template <class Roots>
struct RunTasksOp {
  using Function = void(Queue&, TaskRun<Roots>);
};

namespace internal {

template <class Roots>
std::shared_ptr<RunReport> launch(Queue& queue, std::shared_ptr<const Roots> roots,
                                  const RunOptions& options, bool caller_waits,
                                  Participant<typename Roots::Set>* participant = nullptr) {
  if (options.deadline.count() < 0) {
    reject("deadline is " + std::to_string(options.deadline.count()) +
           " ns; it must be positive, or 0 for none");
  }
  if (roots->size() > kMaxRoots) {
    reject("the run has " + std::to_string(roots->size()) + " roots; it may have at most " +
           std::to_string(kMaxRoots));
  }
  if (Roots::Set::kTypes > 1 && roots->size() > 0 && roots->tag_data() == nullptr) {
    reject("tags is null; a set of several task types needs a tag for each item");
  }
  auto report = std::make_shared<RunReport>();
  OpTable<RunTasksOp<Roots>>::at(queue)(
      queue, {std::move(roots), options, report, caller_waits, participant});
  return report;
}

}  // namespace internal

// Waits for everything in the queue, runs the roots and their descendants, and reports what ran.
// `roots` is a TaskList or IndexedTasks. Any thread may call it.
//
// Throws kInvalidArgument for wrong options or roots, and kUnsupported if the set is not linked for
// the device's target. Throws what Queue::wait throws:
// * kTaskFailed, once everything in flight has drained, with the code of the first task that
//   failed, or on a CPU with the message of the C++ exception that it threw. With keep_unfinished
//   it is a FailedRun (runtime/tasks/run_failed.h);
// * RunStopped or UnfinishedRun (runtime/tasks/run_stopped.h) if the deadline, a stop request or a
//   lack of memory for spawned tasks, open joins or a launch ended the run early;
// * kOutOfMemory if IndexedTasks could not begin, or if a GPU had no memory to launch even what
//   would have handed the tasks back.
// If several threads wait for one queue, one of them receives the error. A run of another thread
// that failed or was skipped throws kCancelled.
template <class Roots>
RunReport run_tasks(Queue& queue, const Roots& roots, const RunOptions& options = {}) {
  const std::shared_ptr<const Roots> borrowed(&roots, [](const Roots*) {});
  const auto report = internal::launch(queue, borrowed, options, /*caller_waits=*/true);
  queue.wait();
  if (report->policy == Policy::kAuto) {
    throw Error(ErrorCode::kCancelled,
                "the run failed or was skipped; another thread that waited for the queue has "
                "received the error");
  }
  return *report;
}

// Enqueues the run, with its own copy of the roots, and returns at once. The report is complete
// once the queue has finished the run (Queue::wait, or an Event recorded after it). Queue::wait
// throws the errors.
template <class Roots>
std::shared_ptr<const RunReport> submit_tasks(Queue& queue, Roots roots,
                                              const RunOptions& options = {}) {
  return internal::launch(queue, std::make_shared<const Roots>(std::move(roots)), options,
                          /*caller_waits=*/false);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_TASKS_H_

// SPDX-License-Identifier: Apache-2.0

// Runs one queue of tasks that spawn tasks on all devices of a group. Devices that have no task
// left take some from those that have.
//
//   struct Visit {
//     static constexpr bool kTravels = true;       // Its fields are numbers and indices.
//     std::uint32_t node;
//     template <class Context> MILLRACE_FUNCTION void operator()(Context& context) const {
//       const Graph& graph = context.arguments();  // Of the device that runs the task.
//       ...
//     }
//   };
//   struct Tasks : TaskSet<Visit> { using Arguments = Graph; };
//   run_tasks(group, SharedTasks<Tasks>{
//       .roots = TaskList<Tasks>{Visit{0}},
//       .prepare = [&](Queue& queue) { ... copy the graph to the queue's device ...
//                                      return Graph{...}; },
//       .finish = [&](Queue& queue) { ... add the device's sums to the total ... }});
#ifndef MILLRACE_RUNTIME_GROUP_RUN_SHARED_TASKS_H_
#define MILLRACE_RUNTIME_GROUP_RUN_SHARED_TASKS_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/internal/shared_run.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/travelling_tasks.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace millrace {

// Waits for everything in the group's queues, runs the roots and their descendants on all devices,
// and reports what ran where. Any policy gives the same results. kAuto selects kPersistentThreads,
// the only policy that gives tasks away at any time; the others do so between two waves.
//
// Throws what run_tasks() of a queue throws. A deadline or a stop request ends the run on all
// devices as on one: RunStopped or UnfinishedRun is thrown once `finish` has been called for each.
// The tasks and the open joins that UnfinishedRun has may go on in another run of this kind, on any
// mix of devices. Throws kTaskFailed, as one device does, for a join that is never completed; that
// is known once all devices have finished.
//
// If a device fails, the others are stopped, its error is thrown with the device's name before its
// message, as by DeviceGroup::run, and `finish` is not called. With keep_unfinished the error is a
// FailedRun, thrown once `finish` has been called for each device that is prepared and works on. It
// has the tasks that no device has started: those that wait for a device, those of the others, and
// those of the failed device. Tasks in the failed device's memory are missing if the device is
// lost, its run ends with another code than kTaskFailed, or memory runs out between two tasks. Then
// FailedRun::tasks_left() has no value, and tasks that are handed back may arrive at lost joins,
// where a run of them fails.
//
// A device can open 16,777,216 joins at a time. Compiling fails, with the name of the type, for a
// set with a type that cannot travel (runtime/tasks/travelling_tasks.h).
template <class Set>
SharedRunReport run_tasks(const DeviceGroup& group, const SharedTasks<Set>& tasks,
                          const RunOptions& options = {}) {
  static_assert(kTasksTravel<Set>);
  check(tasks, options);
  group.wait();
  const std::string operation = typeid(Set).name();
  const std::vector<DeviceInfo> infos = group.infos();
  const std::vector<double> speeds = DeviceSpeeds::shared().of(operation, infos);
  TaskExchange<Set> exchange(speeds_by_model(speeds, infos), JoinHomes(), tasks.roots);
  SharedRun<Set> run(exchange, options, group.size());
  try {
    group.run([&](std::size_t device, const std::stop_token& failed) {
      Queue& queue = group.queue(device);
      const std::stop_callback on_failure(failed, [&run] { run.stop_by_failure(); });
      if (run.run_on(device, queue, tasks)) run.finish_on(device, queue, tasks);
    });
  } catch (const Error&) {
    if (!options.keep_unfinished) throw;
    run.fail(group.size());  // A thread could not be started.
  }
  const SharedRunReport report = run.report(infos);
  TaskList<Set> rest = run.take_rest();
  if (run.has_failed()) {
    std::vector<std::string> names;
    for (const DeviceInfo& info : infos) names.push_back(info.name);
    run.throw_failed(run.failure(names), report.run, std::move(rest));
  }
  exchange.check_arrivals();
  if (!rest.empty()) run.throw_stopped(report.run, std::move(rest));
  if constexpr (Set::kOpensJoins) {
    if (!rest.joins().empty()) throw_waiting<Set>(rest.joins());
  }
  note_speeds(report, operation);
  return report;
}

// The same on one queue, which has all tasks.
template <class Set>
SharedRunReport run_tasks(Queue& queue, const SharedTasks<Set>& tasks,
                          const RunOptions& options = {}) {
  static_assert(kTasksTravel<Set>);
  check(tasks, options);
  TaskList<Set> roots = tasks.roots;
  if constexpr (HasArguments<Set>) roots.set_arguments(tasks.prepare(queue));
  SharedRunReport report;
  try {
    report.run = run_tasks(queue, roots, options);
  } catch (const RunStopped&) {
    finish(queue, tasks);
    throw;
  } catch (const RunFailed&) {
    try_to_finish(queue, tasks);
    throw;
  }
  finish(queue, tasks);
  report.devices.push_back({queue.device().info().name, report.run, {.segments = 1}});
  return report;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_RUN_SHARED_TASKS_H_

// SPDX-License-Identifier: Apache-2.0

// Tasks that several devices run together, over a group (run_shared_tasks.h) or over ranks
// (runtime/ranks/run_ranked_tasks.h), and the report of their run.
#ifndef MILLRACE_RUNTIME_GROUP_SHARED_TASKS_H_
#define MILLRACE_RUNTIME_GROUP_SHARED_TASKS_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace millrace {

// Tasks of a set whose types travel, for devices that run them together.
template <class Set>
struct SharedTasks {
  TaskList<Set> roots;

  // Makes what the tasks need on this device besides their fields: the result of
  // Context::arguments() there. Called once for each device, on the device's thread; calls for
  // different devices overlap. It may be empty if the set has no Arguments. Memory that the
  // arguments point to must exist until the call has ended.
  std::function<ArgumentsOf<Set>(Queue& queue)> prepare{};

  // Takes the results of this device, such as its addends of the sums. Called once for each device
  // when the run has ended on all of them or was stopped, on the device's thread. May be empty.
  std::function<void(Queue& queue)> finish{};
};

// Reports what one device did of a run.
struct SharedDeviceReport {
  std::string device;  // DeviceInfo::name.
  RunReport run;       // The sum of its segments. `seconds` is the time that they took. `waves`
                       // are those of kPersistentThreads, too, by which it has spread its roots.
  ExchangeCounts exchanged;
};

struct SharedRunReport {
  // The sum over all devices. `seconds` is the time from the start of the first segment to the end
  // of the last one.
  RunReport run;
  std::vector<SharedDeviceReport> devices;
};

// Adds the counts of a segment to a report.
inline void add_report(RunReport& sum, const RunReport& added) {
  if (sum.tasks_by_type.size() < added.tasks_by_type.size()) {
    sum.tasks_by_type.resize(added.tasks_by_type.size());
  }
  for (std::size_t i = 0; i < added.tasks_by_type.size(); ++i) {
    sum.tasks_by_type[i] += added.tasks_by_type[i];
  }
  if (added.policy != Policy::kAuto) sum.policy = added.policy;
  sum.waves += added.waves;
  sum.steals += added.steals;
  sum.seconds += added.seconds;
  sum.switches += added.switches;
}

// Throws kInvalidArgument if the tasks or the options cannot be run.
template <class Set>
void check(const SharedTasks<Set>& tasks, const RunOptions& options) {
  if (HasArguments<Set> && !tasks.prepare) {
    reject("prepare is empty; the set has Arguments, so set a function that makes them");
  }
  if (options.deadline.count() < 0) {
    reject("deadline is " + std::to_string(options.deadline.count()) +
           " ns; it must be positive, or 0 for none");
  }
}

// Calls SharedTasks::finish, and waits for what it has enqueued.
template <class Set>
void finish(Queue& queue, const SharedTasks<Set>& tasks) {
  if (tasks.finish) tasks.finish(queue);
  queue.wait();
}

// Does the same after a failure, whose error is thrown whether or not this succeeds. Returns false
// if it does not.
template <class Set>
bool try_to_finish(Queue& queue, const SharedTasks<Set>& tasks) {
  if (queue.has_failed()) return false;
  try {
    finish(queue, tasks);
  } catch (...) {
    return false;
  }
  return true;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_SHARED_TASKS_H_

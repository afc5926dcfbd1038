// SPDX-License-Identifier: Apache-2.0

// A flat queue shared by the devices of a group.
//
//   run_tasks(group, GroupTasks<Tasks>{
//       .count = n,
//       .prepare = [&](Queue& queue, const ItemRange& items) {
//         ... copies what items need to the queue's device ...
//         return IndexedTasks<Tasks>{.count = items.size(), .arguments = {...}};
//       },
//       .finish = [&](Queue& queue, const ItemRange& items) { ... copies results back ... }});
#ifndef MILLRACE_RUNTIME_GROUP_RUN_GROUP_TASKS_H_
#define MILLRACE_RUNTIME_GROUP_RUN_GROUP_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace {

// Items of a flat queue whose data devices are given by the piece: a run's arguments are in memory
// of the device that runs it, so a piece has arguments of its own.
template <class Set>
struct GroupTasks {
  std::uint64_t count = 0;

  // Enqueues what the items of a piece need, and says what is run: as many tasks as items. What
  // the arguments and tags point to stays until `finish` has returned for that piece, or the call
  // has ended. Called on the device's thread; calls for different devices overlap.
  std::function<IndexedTasks<Set>(Queue& queue, const ItemRange& items)> prepare;

  // Enqueues what is to be done with the results, once the piece has run; likewise. May be empty.
  std::function<void(Queue& queue, const ItemRange& items)> finish{};

  std::uint64_t least = 1;          // Items that are worth a piece of their own.
  std::string operation = "tasks";  // What speeds are kept by.
};

namespace internal {

// One piece. Nothing of it is in flight when this ends, be it by an exception.
template <class Set>
void run_piece(Queue& queue, const ItemRange& items, const GroupTasks<Set>& tasks,
               const RunOptions& options) {
  try {
    run_tasks(queue, tasks.prepare(queue, items), options);
    if (tasks.finish) tasks.finish(queue, items);
  } catch (...) {
    try {
      queue.wait();
    } catch (...) {  // Comes of the first, or is behind it.
    }
    throw;
  }
  queue.wait();
}

}  // namespace internal

// Waits for everything in the group's queues, runs all items, and returns when that and `finish`
// are done. Throws what the run_tasks() of a queue throws, as DeviceGroup::run says; the deadline
// is of each piece. Throws kUnsupported for keep_unfinished: a piece's tasks are not all there are.
template <class Set>
std::vector<DeviceShare> run_tasks(const DeviceGroup& group, const GroupTasks<Set>& tasks,
                                   const RunOptions& options = {}) {
  if (options.keep_unfinished) {
    throw Error(ErrorCode::kUnsupported,
                "keep_unfinished is set; devices of a group keep no tasks that have not run");
  }
  group.wait();
  return share_work(
      group, {.operation = tasks.operation, .items = tasks.count, .least = tasks.least},
      [&](std::size_t device, const ItemRange& items, const std::stop_token& stop) -> LinkBytes {
        RunOptions of_piece = options;
        of_piece.stop = stop;
        internal::run_piece(group.queue(device), items, tasks, of_piece);
        return {};
      },
      options.stop);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_RUN_GROUP_TASKS_H_

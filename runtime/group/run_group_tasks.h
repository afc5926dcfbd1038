// SPDX-License-Identifier: Apache-2.0

// Runs a flat queue of tasks on all devices of a group.
//
//   run_tasks(group, GroupTasks<Tasks>{
//       .count = n,
//       .prepare = [&](Queue& queue, const ItemRange& items) {
//         ... copy the input of the items to the queue's device ...
//         return IndexedTasks<Tasks>{.count = items.size(), .arguments = {...}};
//       },
//       .finish = [&](Queue& queue, const ItemRange& items) { ... copy the results back ... }});
#ifndef MILLRACE_RUNTIME_GROUP_RUN_GROUP_TASKS_H_
#define MILLRACE_RUNTIME_GROUP_RUN_GROUP_TASKS_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace {

// The items of a flat queue, which devices run in pieces. The arguments of a run are in memory of
// the device that runs it, so each piece has arguments of its own.
template <class Set>
struct GroupTasks {
  std::uint64_t count = 0;  // Number of items.

  // Enqueues the copies that the items of a piece need and returns its tasks, one for each item.
  // Memory that the arguments and tags point to must exist until `finish` has returned for that
  // piece or the call has ended. Called on the device's thread; calls for different devices
  // overlap.
  std::function<IndexedTasks<Set>(Queue& queue, const ItemRange& items)> prepare;

  // Enqueues the copies of the results once the piece has run, on the same thread. May be empty.
  std::function<void(Queue& queue, const ItemRange& items)> finish{};

  std::uint64_t least = 1;          // Minimum number of items in a piece.
  std::string operation = "tasks";  // Key under which DeviceSpeeds keeps the measured speeds.
};

namespace internal {

// Runs one piece. Nothing of it is in flight when this function returns or throws.
template <class Set>
void run_piece(Queue& queue, const ItemRange& items, const GroupTasks<Set>& tasks,
               const RunOptions& options) {
  try {
    run_tasks(queue, tasks.prepare(queue, items), options);
    if (tasks.finish) tasks.finish(queue, items);
  } catch (...) {
    try {
      queue.wait();
    } catch (...) {  // The first error is thrown instead.
    }
    throw;
  }
  queue.wait();
}

}  // namespace internal

// Waits for everything in the group's queues, runs all items, and returns when they and `finish`
// are done. Throws what run_tasks() of a queue throws, in the way of DeviceGroup::run. The deadline
// applies to each piece. Throws kUnsupported for keep_unfinished, because a device knows the tasks
// of its piece only.
template <class Set>
std::vector<DevicePortion> run_tasks(const DeviceGroup& group, const GroupTasks<Set>& tasks,
                                     const RunOptions& options = {}) {
  if (options.keep_unfinished) {
    throw Error(
        ErrorCode::kUnsupported,
        "keep_unfinished is set; a group cannot return the tasks of GroupTasks that have not "
        "run, so set it to false, use one queue, or give the group SharedTasks");
  }
  group.wait();
  return share_items(
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

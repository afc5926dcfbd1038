// SPDX-License-Identifier: Apache-2.0

// The memory of task lists that one run leaves to the next.
#ifndef MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_
#define MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_

#include <millrace/runtime/tasks/task_list.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace millrace::cpu {

// A list that one thread appends to, in cache lines of its own.
template <class Set>
struct alignas(128) WorkerList {
  TaskList<Set> tasks;
};

// Keeps the memory of lists, because the system clears new memory page by page at the first write,
// which takes longer than short tasks do. Not thread-safe.
template <class Set>
class KeptLists {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  // Returns the lists that were kept last, and as many more that there are at least `count`. All
  // are empty, and each has the memory that it had. Throws std::bad_alloc.
  std::vector<WorkerList<Set>> take(std::size_t count) {
    if (lists_.size() < count) lists_.resize(count);
    return std::exchange(lists_, {});
  }

  // Drops the tasks of the lists and keeps their memory, up to kMostBytes: lists that have more are
  // freed, the last ones first.
  void keep(std::vector<WorkerList<Set>> lists) noexcept {
    std::size_t left = kMostBytes;
    for (auto& [tasks] : lists) {
      if (tasks.memory_bytes() > left) tasks = {};
      tasks.clear();
      left -= tasks.memory_bytes();
    }
    lists_ = std::move(lists);
  }

 private:
  std::vector<WorkerList<Set>> lists_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_

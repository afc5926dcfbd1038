// SPDX-License-Identifier: Apache-2.0

// The memory of task lists that one run leaves to the next.
#ifndef MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_
#define MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_

#include <millrace/runtime/tasks/task_list.h>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace millrace::cpu {

// Keeps the memory of lists, because the system clears new memory page by page at the first write,
// which takes longer than short tasks do. Not thread-safe.
template <class Set>
class KeptLists {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  // Returns an empty list, with the memory of the list that was kept first if there is one.
  TaskList<Set> take() {
    if (taken_ == lists_.size()) return {};
    TaskList<Set> list = std::move(lists_[taken_++]);
    bytes_ -= list.memory_bytes();
    return list;
  }

  // Drops the tasks of a list and keeps its memory, or frees it where all kept memory would be more
  // than kMostBytes. A list without memory is kept too, so that lists that are taken in the order
  // in which they were kept find their own memory.
  void keep(TaskList<Set> list) noexcept {
    if (list.memory_bytes() > kMostBytes - bytes_) list = {};
    list.clear();
    const std::size_t bytes = list.memory_bytes();
    // Runs that take as many lists as they keep find the entries of the ones before.
    if (lists_.size() == lists_.capacity()) {
      lists_.erase(lists_.begin(), lists_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    try {
      lists_.push_back(std::move(list));
    } catch (const std::bad_alloc&) {
      return;  // There is no memory for the entry: the list is freed.
    }
    bytes_ += bytes;
  }

 private:
  std::vector<TaskList<Set>> lists_;  // The first one was kept first.
  std::size_t taken_ = 0;             // Number of the first ones that have been taken.
  std::size_t bytes_ = 0;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_KEPT_LISTS_H_

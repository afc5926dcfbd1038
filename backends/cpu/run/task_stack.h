// SPDX-License-Identifier: Apache-2.0

// The items that a worker has spawned and not yet run. The owner takes the newest first; workers
// with which it shares them get the oldest first.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include <millrace/runtime/tasks/task_set.h>

namespace millrace::cpu {

// Not thread-safe.
template <class Set>
class TaskStack {
 public:
  struct Item {
    TaskSlot<Set> slot;
    TaskTag tag;
  };

  std::size_t size() const { return items_.size() - oldest_; }
  bool empty() const { return size() == 0; }

  template <class T>
  void push(const T& task) {
    Item& item = items_.emplace_back();
    item.slot.store(task);
    item.tag = Set::template tag_of<T>();
  }

  void push(TaskTag tag, const TaskSlot<Set>& slot) { items_.push_back({slot, tag}); }

  // Returns the newest item; the stack must not be empty. By value, because running the item may
  // push.
  Item pop() {
    const Item item = items_.back();
    items_.pop_back();
    if (empty()) clear();
    return item;
  }

  // Moves the `count` oldest items, or all if there are fewer, to the top of another stack.
  void move_oldest_to(TaskStack& other, std::size_t count) {
    count = std::min(count, size());
    const auto first = items_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    other.items_.insert(other.items_.end(), first, first + static_cast<std::ptrdiff_t>(count));
    oldest_ += count;
    if (empty()) {
      clear();
    } else if (oldest_ > items_.size() / 2) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(oldest_));
      oldest_ = 0;
    }
  }

  void clear() {
    items_.clear();
    oldest_ = 0;
  }

 private:
  std::vector<Item> items_;
  std::size_t oldest_ = 0;  // Items before this index have been moved away.
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_

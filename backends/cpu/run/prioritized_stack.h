// SPDX-License-Identifier: Apache-2.0

// The items that a worker has spawned and not yet run, of a set whose types differ in priority.
#ifndef MILLRACE_BACKENDS_CPU_RUN_PRIORITIZED_STACK_H_
#define MILLRACE_BACKENDS_CPU_RUN_PRIORITIZED_STACK_H_

#include <millrace/backends/cpu/run/task_stack.h>
#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace millrace::cpu {

// A stack for each type. The owner takes the newest of the type of highest priority first; others
// get the oldest of that type first. Not thread-safe.
template <class Set>
class PrioritizedStack {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class T>
  void push(const T& task) {
    ++size_;
    stacks_[Set::template tag_of<T>()].push(task);
  }
  void push(TaskTag tag, const TaskSlot<Set>& slot) {
    ++size_;
    stacks_[tag].push(tag, slot);
  }

  // See the functions of TaskStack.
  typename TaskStack<Set>::Item pop() {
    --size_;
    return first().pop();
  }
  template <class Visit>
  void pop_to(const Visit& visit) {
    --size_;
    first().pop_to(visit);
  }
  typename TaskStack<Set>::Item take_oldest() {
    --size_;
    return first().take_oldest();
  }
  void move_oldest_to(PrioritizedStack& other, std::size_t count) {
    for (const TaskTag tag : Set::kByPriority) {
      const std::size_t moved = std::min(count, stacks_[tag].size());
      stacks_[tag].move_oldest_to(other.stacks_[tag], moved);
      size_ -= moved;
      other.size_ += moved;
      count -= moved;
    }
  }

 private:
  // Returns the stack of highest priority that is not empty.
  TaskStack<Set>& first() {
    for (const TaskTag tag : Set::kByPriority) {
      if (!stacks_[tag].empty()) return stacks_[tag];
    }
    return stacks_[0];
  }

  std::array<TaskStack<Set>, Set::kTypes> stacks_;
  std::size_t size_ = 0;  // Items in all of them together.
};

// The stack that workers have for a set.
template <class Set>
using TaskStackOf = std::conditional_t<Set::kHasPriorities, PrioritizedStack<Set>, TaskStack<Set>>;

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_PRIORITIZED_STACK_H_

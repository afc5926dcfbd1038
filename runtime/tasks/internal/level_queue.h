// SPDX-License-Identifier: Apache-2.0

// The tasks of a run that wait for a later level (Context::spawn_at in task.h), in host memory.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_LEVEL_QUEUE_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_LEVEL_QUEUE_H_

#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>

namespace millrace {

// Lists of tasks in order of their levels. A level may have several lists, so that adding another
// queue copies no task. Not thread-safe.
template <class Set>
class LevelQueue {
 public:
  LevelQueue() = default;
  LevelQueue(const LevelQueue&) = delete;
  LevelQueue& operator=(const LevelQueue&) = delete;

  bool empty() const { return lists_.empty(); }

  std::size_t size() const { return size_; }

  template <class T>
  void push(std::uint32_t level, const T& task) {
    list_of(level).push(task);
    ++size_;
  }
  void push(std::uint32_t level, TaskTag tag, const TaskSlot<Set>& slot) {
    list_of(level).push(tag, slot);
    ++size_;
  }

  // Adds the tasks of a list at their levels, without its joins.
  void push_all(const TaskList<Set>& tasks) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      push(tasks.level(i), tasks.view().tag(i), tasks.slot_data()[i]);
    }
  }

  // Moves all tasks of `other` here.
  void take(LevelQueue& other) {
    last_ = other.last_ = nullptr;
    lists_.merge(other.lists_);
    size_ += std::exchange(other.size_, 0);
  }

  void clear() {
    last_ = nullptr;
    lists_.clear();
    size_ = 0;
  }

  // Returns the lowest level that has tasks. The queue must not be empty.
  std::uint32_t lowest() const { return lists_.begin()->first; }

  // Removes tasks of the lowest level: all of them, or as many lists as together have at most
  // kMostTasks.
  TaskList<Set> take_lowest() {
    last_ = nullptr;
    const std::uint32_t level = lowest();
    TaskList<Set> tasks = std::move(lists_.extract(lists_.begin()).mapped());
    while (!empty() && lowest() == level &&
           tasks.size() + lists_.begin()->second.size() <= kMostTasks) {
      tasks.append(lists_.begin()->second);
      lists_.erase(lists_.begin());
    }
    size_ -= tasks.size();
    return tasks;
  }

  // Moves all tasks to a list, at their levels.
  void move_to(TaskList<Set>& list) {
    while (!empty()) {
      const std::uint32_t level = lowest();
      const TaskList<Set> tasks = take_lowest();
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        list.push_at(level, tasks.view().tag(i), tasks.slot_data()[i]);
      }
    }
  }

 private:
  // Roots of a run have indices of 32 bits.
  static constexpr std::size_t kMostTasks = std::numeric_limits<std::uint32_t>::max();

  // Returns a list of this level that has capacity for a task.
  TaskList<Set>& list_of(std::uint32_t level) {
    if (last_ != nullptr && last_level_ == level && last_->size() < kMostTasks) return *last_;
    auto end = lists_.upper_bound(level);
    if (end == lists_.begin() || std::prev(end)->first != level ||
        std::prev(end)->second.size() >= kMostTasks) {
      end = std::next(lists_.emplace_hint(end, level, TaskList<Set>()));
    }
    last_ = &std::prev(end)->second;
    last_level_ = level;
    return *last_;
  }

  using Lists = std::multimap<std::uint32_t, TaskList<Set>>;
  // Makes the compiler check the constraints of the pair's assignment here: clang 15 crashes where
  // it checks them first for an implicit member in device code.
  static_assert(!std::is_copy_assignable_v<typename Lists::value_type>);

  Lists lists_;
  std::size_t size_ = 0;           // Tasks of all lists.
  TaskList<Set>* last_ = nullptr;  // The list of the last push.
  std::uint32_t last_level_ = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_LEVEL_QUEUE_H_

// SPDX-License-Identifier: Apache-2.0

// A list of tasks in host memory: tasks of the types of one set, in the order in which they were
// pushed.
//
//   TaskList<Tasks> roots{Split{0, n}};
//   roots.push(Leaf{...});
//   roots.push_at(7, Visit{...});   // A set with levels (task.h).
#ifndef MILLRACE_RUNTIME_TASKS_TASK_LIST_H_
#define MILLRACE_RUNTIME_TASKS_TASK_LIST_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace millrace {

// Each task takes a slot of Set::kSlotBytes and a tag, in two arrays that are copied to a device
// without conversion. Not thread-safe.
template <class SetType>
class TaskList {
 public:
  using Set = SetType;

  TaskList() = default;

  template <class... Roots>
  requires(Set::template kContains<Roots>&&...) explicit TaskList(const Roots&... roots) {
    (push(roots), ...);
  }

  template <class T>
  void push(const T& task) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    slots_.emplace_back().store(task);
    if constexpr (Set::kTypes > 1) tags_.push_back(kTag);
  }

  // Adds the task in a slot, whose type has this tag.
  void push(TaskTag tag, const TaskSlot<Set>& slot) {
    slots_.push_back(slot);
    if constexpr (Set::kTypes > 1) tags_.push_back(tag);
  }

  // Adds a task that runs at this level of the run. Tasks that push() adds are of level 0.
  template <class T>
  void push_at(std::uint32_t level, const T& task) {
    static_assert(Set::kHasLevels, "state static constexpr bool kUsesLevels = true in a type");
    push(task);
    set_last_level(level);
  }
  void push_at(std::uint32_t level, TaskTag tag, const TaskSlot<Set>& slot) {
    push(tag, slot);
    set_last_level(level);
  }

  // Returns the level of the task at `index`.
  std::uint32_t level(std::size_t index) const {
    return index < levels_.size() ? levels_[index] : 0;
  }
  // Returns true if a task may be of another level than 0.
  bool has_levels() const { return !levels_.empty(); }

  // Sets what Context::arguments() returns to the tasks of a run of this list. Pointers in it are
  // of the device that runs it; the memory belongs to the caller, and exists until the run has
  // ended.
  void set_arguments(const ArgumentsOf<Set>& arguments) requires HasArguments<Set> {
    static_assert(std::is_trivially_copyable_v<ArgumentsOf<Set>>, "arguments are copied as bytes");
    arguments_.emplace(arguments);
  }

  // Returns the arguments, or null if none are set. Valid as long as the list.
  const ArgumentsOf<Set>* arguments() const { return arguments_ ? &*arguments_ : nullptr; }

  // Adds the tasks of another list. Throws kInvalidArgument if both lists have open joins, whose
  // indices may be equal.
  void append(const TaskList& other) {
    if (!joins_.empty() && !other.joins_.empty()) {
      reject("both lists are of stopped runs with open joins; continue each in a run of its own");
    }
    joins_.insert(joins_.end(), other.joins_.begin(), other.joins_.end());
    if (other.has_levels()) {
      levels_.resize(slots_.size());
      levels_.insert(levels_.end(), other.levels_.begin(), other.levels_.end());
    }
    slots_.insert(slots_.end(), other.slots_.begin(), other.slots_.end());
    tags_.insert(tags_.end(), other.tags_.begin(), other.tags_.end());
  }

  // Adds `count` tasks in slots, whose types have these tags. `tags` is not read for a set of one
  // type.
  void append(const TaskSlot<Set>* slots, const TaskTag* tags, std::size_t count) {
    slots_.insert(slots_.end(), slots, slots + count);
    if constexpr (Set::kTypes > 1) tags_.insert(tags_.end(), tags, tags + count);
  }

  // Removes the last `count` tasks, at most size(), and returns them with their levels and the
  // arguments. Open joins stay.
  TaskList take_last(std::size_t count) {
    const std::size_t left = size() - count;
    TaskList taken;
    taken.arguments_ = arguments_;
    taken.slots_.assign(slots_.end() - static_cast<std::ptrdiff_t>(count), slots_.end());
    slots_.resize(left);
    if constexpr (Set::kTypes > 1) {
      taken.tags_.assign(tags_.end() - static_cast<std::ptrdiff_t>(count), tags_.end());
      tags_.resize(left);
    }
    if (levels_.size() > left) {
      taken.levels_.assign(levels_.begin() + static_cast<std::ptrdiff_t>(left), levels_.end());
      levels_.resize(left);
    }
    return taken;
  }

  void reserve(std::size_t count) {
    slots_.reserve(count);
    if constexpr (Set::kTypes > 1) tags_.reserve(count);
  }

  void clear() {
    slots_.clear();
    tags_.clear();
    levels_.clear();
    joins_.clear();
  }

  // The open joins of a stopped run. A run of this list continues them.
  const std::vector<WaitingJoin<Set>>& joins() const { return joins_; }
  void push(const WaitingJoin<Set>& join) { joins_.push_back(join); }
  void clear_joins() { joins_.clear(); }

  // Returns the bytes of memory that the list has for tasks, also of those it had before.
  std::size_t memory_bytes() const {
    return slots_.capacity() * sizeof(TaskSlot<Set>) + tags_.capacity() * sizeof(TaskTag) +
           levels_.capacity() * sizeof(std::uint32_t);
  }

  std::size_t size() const { return slots_.size(); }
  bool empty() const { return slots_.empty(); }

  // Arrays of the items: size() slots and, for a set of several types, as many tags. tag_data() is
  // null for a set of one type. Both are valid until the list changes.
  const TaskSlot<Set>* slot_data() const { return slots_.data(); }
  const TaskTag* tag_data() const { return Set::kTypes > 1 ? tags_.data() : nullptr; }

  template <class T>
  static constexpr bool kIsRoot = true;

  // Reads the items, also on a device. Valid until the list changes.
  class View {
   public:
    template <class T>
    static constexpr bool kIsRoot = true;

    MILLRACE_FUNCTION TaskTag tag(std::size_t index) const {
      if constexpr (Set::kTypes > 1) return tags_[index];
      return 0;
    }

    // Returns the task at `index`, which must be of type T.
    template <class T>
    MILLRACE_FUNCTION const T& get(std::size_t index) const {
      return slots_[index].template get<T>();
    }

   private:
    friend class TaskList;
    View(const TaskSlot<Set>* slots, const TaskTag* tags) : slots_(slots), tags_(tags) {}

    const TaskSlot<Set>* slots_;
    const TaskTag* tags_;
  };

  View view() const { return View(slots_.data(), tags_.data()); }

 private:
  void set_last_level(std::uint32_t level) {
    if (level == 0 && levels_.empty()) return;
    levels_.resize(slots_.size());
    levels_.back() = level;
  }

  std::vector<TaskSlot<Set>> slots_;
  std::vector<TaskTag> tags_;
  std::vector<std::uint32_t> levels_;  // The level of further tasks is 0.
  std::vector<WaitingJoin<Set>> joins_;
  std::optional<ArgumentsOf<Set>> arguments_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_TASK_LIST_H_

// SPDX-License-Identifier: Apache-2.0

// A task set is the list of task types that may be in one queue and may spawn each other.
//
//   using Tasks = TaskSet<Split, Leaf>;
//   struct Tasks : TaskSet<Split, Leaf> { using Arguments = ...; };   // IndexedTasks need them.
#ifndef MILLRACE_RUNTIME_TASKS_TASK_SET_H_
#define MILLRACE_RUNTIME_TASKS_TASK_SET_H_

#include <millrace/runtime/tasks/task.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>

namespace millrace {

// The index of a type in its set. It is stored beside every item.
using TaskTag = std::uint8_t;

template <class... Tasks>
struct TaskSet {
  static_assert(sizeof...(Tasks) >= 1 && sizeof...(Tasks) <= 255);
  static_assert((Task<Tasks> && ...), "tasks are trivially copyable and at most 256 bytes");

  static constexpr std::size_t kTypes = sizeof...(Tasks);  // Number of types.

  // Size and alignment of a slot that holds any of the types.
  static constexpr std::size_t kSlotAlignment = std::max({alignof(Tasks)...});
  static constexpr std::size_t kSlotBytes =
      (std::max({sizeof(Tasks)...}) + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;

  // Maximum of the types' scratch bytes and registers.
  static constexpr std::size_t kScratchBytes = std::max({scratch_bytes_of<Tasks>()...});
  static constexpr int kRegisters = std::max({registers_of<Tasks>()...});

  // The most joins that a task of the set opens, and whether there are any.
  static constexpr std::uint32_t kMostJoins = std::max({joins_of<Tasks>()...});
  static constexpr bool kOpensJoins = kMostJoins > 0;

  // True if a type of the set uses levels.
  static constexpr bool kHasLevels = (uses_levels<Tasks>() || ...);

  // True if types of the set differ in priority.
  static constexpr bool kHasPriorities =
      std::max({priority_of<Tasks>()...}) != std::min({priority_of<Tasks>()...});

  // True if several devices may share a run of the set.
  static constexpr bool kTravels = (travels<Tasks>() && ...) && !kHasLevels;

  // True if a type of the set may spawn.
  static constexpr bool kSpawns = (spawns<Tasks>() || ...);

  template <std::size_t kTag>
  using Type = std::tuple_element_t<kTag, std::tuple<Tasks...>>;

  static constexpr std::array<int, sizeof...(Tasks)> kPriorities = {priority_of<Tasks>()...};

  // True if no type has a higher priority than the one with this tag.
  static constexpr bool is_of_highest_priority(TaskTag tag) {
    return kPriorities[tag] == std::max({priority_of<Tasks>()...});
  }

  // The tags by falling priority; types of equal priority in their own order.
  static constexpr std::array<TaskTag, kTypes> kByPriority = [] {
    std::array<TaskTag, kTypes> tags{};
    for (std::size_t i = 0; i < kTypes; ++i) {
      std::size_t rank = i;  // By insertion: no type of lower priority stays before it.
      for (; rank > 0 && kPriorities[tags[rank - 1]] < kPriorities[i]; --rank) {
        tags[rank] = tags[rank - 1];
      }
      tags[rank] = static_cast<TaskTag>(i);
    }
    return tags;
  }();

  template <class T>
  static constexpr bool kContains = (std::is_same_v<T, Tasks> || ...);

  template <class T>
  MILLRACE_FUNCTION static constexpr TaskTag tag_of() {
    static_assert(kContains<T>, "not a type of this task set");
    TaskTag tag = 0;
    bool found = false;
    ((found = found || std::is_same_v<T, Tasks>, tag += found ? 0 : 1), ...);
    return tag;
  }
};

// Memory for one task of any type of a set. It is uninitialised until store(), and trivially
// copyable.
template <class Set>
class TaskSlot {
 public:
  MILLRACE_FUNCTION TaskSlot() {}

  template <class T>
  MILLRACE_FUNCTION void store(const T& task) {
    static_assert(Set::template kContains<T>, "not a type of this task set");
    // By members: the task is often a temporary that compilers then keep in registers.
    ::new (static_cast<void*>(bytes_)) T(task);
  }

  // Stores a member of the task, which is at this byte of it.
  template <class V>
  MILLRACE_FUNCTION void store_at(std::size_t offset, const V& value) {
    memcpy(bytes_ + offset, &value, sizeof(V));
  }

  // Returns the task, which must be of type T.
  template <class T>
  MILLRACE_FUNCTION const T& get() const {
    return *reinterpret_cast<const T*>(bytes_);
  }

 private:
  alignas(Set::kSlotAlignment) unsigned char bytes_[Set::kSlotBytes];
};

// True if the set has a type Arguments: what its tasks need besides their fields, as pointers to
// memory of the device. It is given to a run as a whole, and read by Context::arguments().
template <class Set>
concept HasArguments = requires {
  typename Set::Arguments;
};

namespace internal {

struct NoArguments {};

template <class Set>
struct SelectArguments {
  using Type = NoArguments;
};
template <HasArguments Set>
struct SelectArguments<Set> {
  using Type = typename Set::Arguments;
};

}  // namespace internal

// Set::Arguments, or an empty type if the set has none.
template <class Set>
using ArgumentsOf = typename internal::SelectArguments<Set>::Type;

// Calls `visitor.template operator()<T>()` for the type with this tag. The tags of a set are dense,
// so compilers emit a jump table or, for one type, no branch.
template <class Set, std::size_t kTag = 0, class Visitor>
MILLRACE_INLINE_FUNCTION void visit_type(TaskTag tag, Visitor&& visitor) {
  if constexpr (kTag + 1 == Set::kTypes) {
    visitor.template operator()<typename Set::template Type<kTag>>();
  } else {
    if (tag == kTag) {
      visitor.template operator()<typename Set::template Type<kTag>>();
    } else {
      visit_type<Set, kTag + 1>(tag, visitor);
    }
  }
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_TASK_SET_H_

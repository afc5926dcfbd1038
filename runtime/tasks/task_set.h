// SPDX-License-Identifier: Apache-2.0

// The task types that may be in one queue and may spawn each other.
//
//   using Tasks = TaskSet<Split, Leaf>;                          // or, with arguments for
//   struct Tasks : TaskSet<Split, Leaf> { using Arguments = ...; };   // IndexedTasks
#ifndef MILLRACE_RUNTIME_TASKS_TASK_SET_H_
#define MILLRACE_RUNTIME_TASKS_TASK_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <millrace/runtime/tasks/task.h>

namespace millrace {

// A type's place in its set; stored beside every item.
using TaskTag = std::uint8_t;

template <class... Tasks>
struct TaskSet {
  static_assert(sizeof...(Tasks) >= 1 && sizeof...(Tasks) <= 255);
  static_assert((Task<Tasks> && ...), "tasks are trivially copyable and at most 256 bytes");

  static constexpr std::size_t kTypes = sizeof...(Tasks);

  // Size and alignment of a slot that holds any of the types.
  static constexpr std::size_t kSlotAlignment = std::max({alignof(Tasks)...});
  static constexpr std::size_t kSlotBytes =
      (std::max({sizeof(Tasks)...}) + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;

  // What the most demanding of the types may take.
  static constexpr std::size_t kScratchBytes = std::max({scratch_bytes_of<Tasks>()...});
  static constexpr int kRegisters = std::max({registers_of<Tasks>()...});

  // Whether any of the types may spawn.
  static constexpr bool kSpawns = (spawns<Tasks>() || ...);

  template <std::size_t kTag>
  using Type = std::tuple_element_t<kTag, std::tuple<Tasks...>>;

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

// Room for one task of any type of a set. Uninitialised until store(); trivially copyable.
template <class Set>
class TaskSlot {
 public:
  MILLRACE_FUNCTION TaskSlot() {}

  template <class T>
  MILLRACE_FUNCTION void store(const T& task) {
    static_assert(Set::template kContains<T>, "not a type of this task set");
    memcpy(bytes_, &task, sizeof(T));
  }

  // The task, which is of type T.
  template <class T>
  MILLRACE_FUNCTION const T& get() const {
    return *reinterpret_cast<const T*>(bytes_);
  }

 private:
  alignas(Set::kSlotAlignment) unsigned char bytes_[Set::kSlotBytes];
};

// Calls `visitor.template operator()<T>()` for the type with this tag; the tags of a set are dense,
// so compilers make it a jump table or, for one type, nothing.
template <class Set, std::size_t kTag = 0, class Visitor>
MILLRACE_FUNCTION inline void visit_type(TaskTag tag, Visitor&& visitor) {
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

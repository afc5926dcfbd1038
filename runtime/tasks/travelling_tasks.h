// SPDX-License-Identifier: Apache-2.0

// Checks at compile time that the tasks of a set may travel to other devices and ranks: each type
// states kTravels (task.h) and, as far as can be seen from outside, holds no pointer.
#ifndef MILLRACE_RUNTIME_TASKS_TRAVELLING_TASKS_H_
#define MILLRACE_RUNTIME_TASKS_TRAVELLING_TASKS_H_

#include <millrace/runtime/tasks/task.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace millrace {
namespace internal {

// Initialize any member of a T, or one that is a pointer.
template <class T>
struct AnyMember {
  template <class M>
  requires(!std::is_same_v<M, T>) constexpr operator M() const noexcept;
};
struct PointerMember {
  template <class M>
  constexpr operator M*() const noexcept;
};

template <class T, std::size_t kBefore>
constexpr bool has_pointer_at() {
  return []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return requires { T{((void)kIndex, AnyMember<T>())..., PointerMember()}; };
  }
  (std::make_index_sequence<kBefore>());
}

inline constexpr std::size_t kMostMembers = 32;  // Members that are read.

}  // namespace internal

// True if T is a structure with a pointer among its first members. False where a member that is a
// structure has one behind its first member, and for types with constructors.
template <class T>
inline constexpr bool kHoldsPointer = []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
  return std::is_aggregate_v<T> && (internal::has_pointer_at<T, kIndex>() || ...);
}
(std::make_index_sequence<internal::kMostMembers>());

// Instantiated for a type that may travel; for any other the compiler's error names the type.
template <class Task>
struct TravellingTask {
  static_assert(
      travels<Task>(),
      "a task of a run that several devices share states static constexpr bool kTravels = "
      "true, if its fields are numbers, indices and handles of joins");
  static_assert(!travels<Task>() || !kHoldsPointer<Task>,
                "a task that travels holds no pointer; hold an index, and give each device its "
                "arrays by the set's Arguments");
  static_assert(!uses_levels<Task>(), "a run that several devices share has no levels");
  static constexpr bool kIsChecked = true;
};

// True if all types of the set may travel; else compiling fails.
template <class Set>
inline constexpr bool kTasksTravel = []<std::size_t... kTag>(std::index_sequence<kTag...>) {
  return (TravellingTask<typename Set::template Type<kTag>>::kIsChecked && ...);
}
(std::make_index_sequence<Set::kTypes>());

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_TRAVELLING_TASKS_H_

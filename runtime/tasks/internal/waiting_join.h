// SPDX-License-Identifier: Apache-2.0

// The open joins of a run that has stopped, or that has ended with arrivals missing.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_WAITING_JOIN_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_WAITING_JOIN_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <vector>

namespace millrace {

template <class Set>
struct WaitingJoin {
  std::uint32_t index;    // As in the handles (join.h) of the run's tasks.
  std::uint32_t missing;  // Arrivals that the continuation waits for, at least 1.
  TaskTag tag;            // Type of the continuation.
  TaskSlot<Set> continuation;
};

namespace internal {

// Throws kTaskFailed: a run that has no task left has `joins` open joins, the first of which waits
// with a continuation of this type for `missing` arrivals.
[[noreturn]] void throw_waiting(std::size_t joins, const std::type_info& continuation,
                                std::uint32_t missing);

}  // namespace internal

// Throws kTaskFailed with the type of the first continuation and the arrivals that it misses.
// `joins` is not empty.
template <class Set>
[[noreturn]] void throw_waiting(const std::vector<WaitingJoin<Set>>& joins) {
  const std::type_info* type = nullptr;
  visit_type<Set>(joins.front().tag, [&type]<class T>() { type = &typeid(T); });
  internal::throw_waiting(joins.size(), *type, joins.front().missing);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_WAITING_JOIN_H_

// SPDX-License-Identifier: Apache-2.0

// Roots that are indices of arrays which the caller already has. Nothing is copied into a list:
// item i is made where it runs, as T{arguments, i}.
//
//   struct Scale {
//     struct Arguments { float* data; };
//     Arguments arguments; std::size_t index;
//     template <class Context> MILLRACE_FUNCTION void operator()(Context&) const {
//       arguments.data[index] *= 2;
//     }
//   };
//   struct Tasks : TaskSet<Scale> { using Arguments = Scale::Arguments; };
//   run_tasks(*queue, IndexedTasks<Tasks>{.count = n, .arguments = {data}});
#ifndef MILLRACE_RUNTIME_TASKS_INDEXED_TASKS_H_
#define MILLRACE_RUNTIME_TASKS_INDEXED_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <utility>

namespace millrace {

namespace internal {

template <class T, class Arguments>
concept MadeFromIndex = requires(const Arguments& arguments, std::size_t index) {
  T{arguments, index};
};

template <class Set>
constexpr bool has_indexed_roots() {
  return []<std::size_t... kTag>(std::index_sequence<kTag...>) {
    return HasArguments<Set> &&
           (MadeFromIndex<typename Set::template Type<kTag>, ArgumentsOf<Set>> || ...);
  }
  (std::make_index_sequence<Set::kTypes>());
}

}  // namespace internal

// True if IndexedTasks<Set> can have items: a type of the set is made from {arguments, index}.
template <class Set>
concept HasIndexedRoots = internal::has_indexed_roots<Set>();

// Memory behind `tags` and `arguments` belongs to the caller. The device must be able to read it,
// and it must exist until the run has ended. Items may spawn any type of the set, including types
// that cannot be roots because they are not made from {arguments, index}.
template <class SetType>
struct IndexedTasks {
  using Set = SetType;

  // Tag of each item's type, `count` values below Set::kTypes; null for a set of one type. A value
  // that is out of range, or whose type cannot be a root, ends the run with kInvalidArgument before
  // any item has run.
  const TaskTag* tags = nullptr;
  std::size_t count = 0;
  typename Set::Arguments arguments{};

  // True if tasks of type T can be roots.
  template <class T>
  static constexpr bool kIsRoot = requires(const typename Set::Arguments& given,
                                           std::size_t index) {
    T{given, index};
  };

  std::size_t size() const { return count; }
  const TaskTag* tag_data() const { return tags; }
  MILLRACE_FUNCTION IndexedTasks view() const { return *this; }

  MILLRACE_FUNCTION TaskTag tag(std::size_t index) const {
    if constexpr (Set::kTypes > 1) return tags[index];
    return 0;
  }

  // Returns the item at `index`, which must be of type T.
  template <class T>
  MILLRACE_FUNCTION T get(std::size_t index) const {
    return T{arguments, index};
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INDEXED_TASKS_H_

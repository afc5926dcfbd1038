// SPDX-License-Identifier: Apache-2.0

// The interface of a Context, as specified in task.h, in the form of a concept. Each backend checks
// its Context against it.
#ifndef MILLRACE_RUNTIME_TASKS_CONTEXT_H_
#define MILLRACE_RUNTIME_TASKS_CONTEXT_H_

#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace millrace {

// True if C is a Context for tasks that spawn tasks of type T.
template <class C, class T>
concept ContextFor = Task<T> && requires(C& context, const T& task, std::uint64_t* sum,
                                         std::uint32_t count, T (*make)(std::uint32_t)) {
  { context.lane() } -> std::same_as<int>;
  { context.lanes() } -> std::same_as<int>;
  { context.sync() } -> std::same_as<void>;
  { context.template scratch<char>(std::size_t{1}) } -> std::same_as<char*>;
  { context.add(sum, std::uint64_t{1}) } -> std::same_as<void>;
  { context.add_together(sum, std::uint64_t{1}) } -> std::same_as<void>;
  { context.spawn(task) } -> std::same_as<void>;
  { context.spawn_many(count, make) } -> std::same_as<void>;
  { context.arrive(&count, task) } -> std::same_as<void>;
  { context.fetch_min(&count, count) } -> std::same_as<std::uint32_t>;
  { context.fail(1) } -> std::same_as<void>;
};

// True if C is a Context for tasks that open joins with a continuation of type T and a member that
// is a V.
template <class C, class T, class V>
concept JoiningContextFor = ContextFor<C, T> &&
    requires(C& context, const T& task, std::uint32_t count, const Join<>& join,
             const Join<V>& join_with_value, V value) {
  { context.open_join(count, task) } -> std::same_as<OpenedJoin<T>>;
  { context.expect(join, count) } -> std::same_as<void>;
  { context.arrive(join) } -> std::same_as<void>;
  { context.arrive(join_with_value, value) } -> std::same_as<void>;
};

// True if C is a Context for tasks that spawn tasks of type T at levels.
template <class C, class T>
concept LevelContextFor = ContextFor<C, T> &&
    requires(C& context, const T& task, std::uint32_t level) {
  { context.level() } -> std::same_as<std::uint32_t>;
  { context.spawn_at(level, task) } -> std::same_as<void>;
};

// A task for such checks.
struct ContextProbe {
  static constexpr bool kUsesLevels = true;
  static constexpr std::uint32_t kJoins = 1;
  static constexpr std::size_t kScratchBytes = 1;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_CONTEXT_H_

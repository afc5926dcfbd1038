// SPDX-License-Identifier: Apache-2.0

// What a task is: a trivially copyable struct whose fields are the work item and whose templated
// call operator is the work, the same source on every backend.
//
//   struct Interval {
//     static constexpr TaskWidth kWidth = TaskWidth::kLane;   // optional, the default
//     double begin, end, *sum;
//     template <class Context> MILLRACE_FUNCTION void operator()(Context& context) const {
//       if (narrow(*this)) context.add(sum, area(*this));
//       else { context.spawn(left(*this)); context.spawn(right(*this)); }
//     }
//   };
//   using Tasks = TaskSet<Interval>;
//
// A Context offers, on every backend:
//   lane(), lanes()      who am I among those that cooperate on this item; 0 of 1 on a CPU
//   sync()               barrier of the lanes of this item
//   scratch<T>(n)        uninitialised memory shared by the lanes of this item, until it returns;
//                        together at most its own kScratchBytes, else the run fails
//   add(target, value)   *target += value, atomically; the sum is there when the run has ended and
//                        not to be read before; integers of 4 and 8 bytes, which wrap, float,
//                        double
//   add_together(target, value)   the same, called by all lanes of this item at once with one
//                        target: on a GPU faster where items of several lanes add to many targets
//   spawn(task)          a new item of any type of the set, run some time later in the same run;
//                        not for a type that says `static constexpr bool kSpawns = false`
//   spawn_many(n, make)  the same for make(0) to make(n - 1), items of one type: on a GPU faster
//                        than one by one, which is an atomic operation each
//   fail(code)           ends the run with kTaskFailed and this code (first failure wins); the
//                        workers drop what they have not started as soon as they see it. Return
//                        soon after.
// A task may also have
//   void prefetch(int lane, int lanes) const    asks for what the call operator will read first
//                                               (prefetch.h); called, if at all, shortly before it
//   static constexpr int kRegisters             what a thread of a GPU needs for the call operator,
//                                               if more than the usual 40 to 64: more make fewer
//                                               threads resident, fewer go to memory
// A task's width says who cooperates: with kWarp and kBlock the call operator is entered by all
// lanes of the item, and spawn, spawn_many, add, add_together and fail count once for each lane
// that calls them.
#ifndef MILLRACE_RUNTIME_TASKS_TASK_H_
#define MILLRACE_RUNTIME_TASKS_TASK_H_

#include <cstddef>
#include <type_traits>

#include <millrace/runtime/core/target_function.h>

namespace millrace {

enum class TaskWidth { kLane, kWarp, kBlock };

inline constexpr std::size_t kMaxTaskBytes = 256;

template <class T>
concept Task = std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxTaskBytes;

// T::kWidth, or kLane for a type that says nothing.
template <class T>
MILLRACE_FUNCTION constexpr TaskWidth width_of() {
  if constexpr (requires { T::kWidth; }) return T::kWidth;
  return TaskWidth::kLane;
}

// T::kScratchBytes, or 0 for a type that says nothing.
template <class T>
MILLRACE_FUNCTION constexpr std::size_t scratch_bytes_of() {
  if constexpr (requires { T::kScratchBytes; }) return T::kScratchBytes;
  return 0;
}

// T::kSpawns, or true for a type that says nothing. A type that never spawns should say so: a set
// of such types alone is a flat queue, for which a GPU leaves out what spawned items need.
template <class T>
MILLRACE_FUNCTION constexpr bool spawns() {
  if constexpr (requires { T::kSpawns; }) return T::kSpawns;
  return true;
}

// T::kRegisters, or 0 for a type that says nothing.
template <class T>
MILLRACE_FUNCTION constexpr int registers_of() {
  if constexpr (requires { T::kRegisters; }) return T::kRegisters;
  return 0;
}

// Whether a type says what it will read first.
template <class T>
concept Prefetches = requires(const T& task) {
  task.prefetch(0, 1);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_TASK_H_

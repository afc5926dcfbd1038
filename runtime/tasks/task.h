// SPDX-License-Identifier: Apache-2.0

// A task is a trivially copyable struct. Its fields are the work item and its templated call
// operator is the work, from the same source on every backend.
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
//   lane(), lanes()      index of this lane and number of lanes that cooperate on this item; 0 and
//                        1 on a CPU
//   sync()               barrier of the lanes of this item
//   kMaySyncDiverged     true if lanes may call sync() at different points of the code: not on AMD
//                        GPUs, whose lanes run in step, nor where there is one lane
//   Lanes                a type with these, a base of the Context. It is the same for all tasks of
//                        a width, so functions that take it instead of a Context are compiled once
//   scratch<T>(n)        uninitialised memory shared by the lanes of this item until it
//                        returns; all calls together may take at most the type's kScratchBytes,
//                        else the run fails
//   add(target, value)   *target += value, atomically, for integers of 4 and 8 bytes, which wrap,
//                        float and double. Tasks of a later level may read the sum; others must
//                        not, and the caller reads it after the run has ended
//   add_together(target, value)   add() called by all lanes of this item at once with one target;
//                        faster on a GPU if items of several lanes add to many targets
//   arguments()          the arguments of the run, of type Set::Arguments: what its tasks need
//                        besides their fields, such as arrays of the device that runs them. They
//                        are those of the run's TaskList (task_list.h), or what each device of a
//                        group has been given (runtime/group/run_shared_tasks.h)
//   spawn(task)          adds an item of any type of the set to the run; not for a type that has
//                        `static constexpr bool kSpawns = false`. Any worker may run the item from
//                        now on; on a CPU, the calling thread may do so before spawn() returns
//   spawn_many(n, make)  spawns make(0) to make(n - 1), items of one type; faster on a GPU than n
//                        calls of spawn(), which take an atomic operation each
//   arrive(counter, successor)
//                        counts *counter, a 32-bit word of predecessors still missing, down by
//                        one. The call that brings it to 0 spawns `successor`, which observes all
//                        that the predecessors wrote before they arrived. All of them are tasks of
//                        one run. For graphs of tasks that are known beforehand: the caller keeps
//                        the counters, in memory of the device
//   open_join(n, continuation)
//                        spawns `continuation` after n arrivals, at least 1, and returns handles
//                        for them (join.h). Lane 0 of the item calls it. The type states
//                        `static constexpr std::uint32_t kJoins`, the number of joins that one
//                        item opens at most, up to 16
//   expect(join, n)      adds n arrivals to an open join; for a task that has yet to arrive there
//   arrive(join), arrive(join, value)
//                        arrives at a join, with a value if the handle is for one. The last
//                        arrival spawns the continuation, which observes all that the others wrote
//                        before they arrived
//   spawn_at(level, task)
//                        spawns `task` at a level of the run, any 32-bit number. A run has a
//                        current level, the lowest that has tasks. A task of a later level starts
//                        only once no task of the current one is left, and observes all that tasks
//                        of earlier levels wrote and added. At the current level or an earlier one
//                        this is spawn(task). For best-first search whose order is known only
//                        while it runs. The type states `static constexpr bool kUsesLevels = true`
//   level()              the current level: 0 for the roots, unless their list has levels
//                        (task_list.h). For types that state kUsesLevels
//   fetch_min(target, value)
//                        stores `value` in *target if it is smaller, atomically, for unsigned
//                        integers of 4 and 8 bytes, and returns what was there. It orders no other
//                        memory operation
//   fail(code)           ends the run with kTaskFailed and the code of the first failure; workers
//                        drop the items they have not started as soon as they poll the flag. Return
//                        soon after this call.
// A task may also have
//   void prefetch(int lane, int lanes) const    prefetches what the call operator reads first
//                                               (prefetch.h); it may be called shortly before it
//   static constexpr int kPriority              workers prefer types of higher priority, 0 if
//                                               not stated: a wave begins with them, and a
//                                               persistent worker runs them first of the tasks it
//                                               has. No order is guaranteed; results must not
//                                               depend on it
//   static constexpr bool kTravels              true if another device or rank may run the task:
//                                               its fields are numbers, indices and handles of
//                                               joins, and no addresses. Runs of several devices
//                                               (runtime/group/run_shared_tasks.h) require it
//   static constexpr int kRegisters             registers that a GPU thread needs for the call
//                                               operator, if more than the usual 40 to 64; more
//                                               registers make fewer threads resident, fewer spill
//                                               to memory
// A task's width states which lanes cooperate. With kWarp and kBlock all lanes of the item enter
// the call operator, and each call of spawn, spawn_at, spawn_many, add, add_together, fetch_min,
// arrive, open_join, expect and fail counts once for each lane that makes it. What other lanes of
// the item have written before sync() is ordered before an arrival after it.
#ifndef MILLRACE_RUNTIME_TASKS_TASK_H_
#define MILLRACE_RUNTIME_TASKS_TASK_H_

#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace {

// The number of GPU threads that cooperate on an item: one, a warp or a block.
enum class TaskWidth { kLane, kWarp, kBlock };

inline constexpr std::size_t kMaxTaskBytes = 256;  // Maximum size of a task.

template <class T>
concept Task = std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxTaskBytes;

// Returns T::kWidth, or kLane if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr TaskWidth width_of() {
  if constexpr (requires { T::kWidth; }) return T::kWidth;
  return TaskWidth::kLane;
}

// Returns T::kScratchBytes, or 0 if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr std::size_t scratch_bytes_of() {
  if constexpr (requires { T::kScratchBytes; }) return T::kScratchBytes;
  return 0;
}

// Returns T::kSpawns, or true if T does not define it. A type that never spawns should define it as
// false: a set of such types alone is a flat queue, which needs no memory for spawned items.
template <class T>
MILLRACE_FUNCTION constexpr bool spawns() {
  if constexpr (requires { T::kSpawns; }) return T::kSpawns;
  return true;
}

// Returns T::kRegisters, or 0 if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr int registers_of() {
  if constexpr (requires { T::kRegisters; }) return T::kRegisters;
  return 0;
}

// Returns T::kPriority, or 0 if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr int priority_of() {
  if constexpr (requires { T::kPriority; }) return T::kPriority;
  return 0;
}

// Returns T::kJoins, or 0 if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr std::uint32_t joins_of() {
  if constexpr (requires { T::kJoins; }) return T::kJoins;
  return 0;
}

// Returns T::kUsesLevels, or false if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr bool uses_levels() {
  if constexpr (requires { T::kUsesLevels; }) return T::kUsesLevels;
  return false;
}

// Returns T::kTravels, or false if T does not define it.
template <class T>
MILLRACE_FUNCTION constexpr bool travels() {
  if constexpr (requires { T::kTravels; }) return T::kTravels;
  return false;
}

// True if T has a member `prefetch`.
template <class T>
concept Prefetches = requires(const T& task) {
  task.prefetch(0, 1);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_TASK_H_

// SPDX-License-Identifier: Apache-2.0

// Divides a wave that a WaveGoal has left: a fraction of its tasks goes to other devices. The tasks
// are mixed, since those that one task has spawned lie side by side, the largest first, say: what
// the two lists spawn then differs little.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_FRONTIER_SPLIT_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_FRONTIER_SPLIT_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A TaskList in memory that lanes write to; does not own it.
template <class Set>
struct WritableList {
  TaskSlot<Set>* slots;
  TaskTag* tags;  // Not used for a set of one type.
};

// A kernel's argument.
template <class Set>
struct FrontierSplit {
  static constexpr int kThreads = 128;
  static constexpr std::uint64_t kAll = std::uint64_t{1} << 32;

  std::array<std::uint32_t*, Set::kTypes>
      arrays;  // The wave's tasks; each is laid out as a TaskArray.
  std::array<std::uint32_t, Set::kTypes> counts;  // Tasks in them.
  std::uint64_t fraction;                         // Fraction of the tasks to give away, times kAll.
  WritableList<Set> kept;
  WritableList<Set> given;

  // Returns how many of the first `index` tasks are given.
  MILLRACE_FUNCTION std::uint64_t given_before(std::uint64_t index) const {
    return index * fraction / kAll;
  }

  // Returns the index of the task that comes at this index. Permutes blocks of 1,024 tasks by steps
  // each of which can be undone.
  MILLRACE_FUNCTION static std::uint64_t mixed(std::uint64_t index, std::uint64_t count) {
    constexpr std::uint32_t kBlock = 1024;
    if (index / kBlock == count / kBlock) return index;
    auto offset = static_cast<std::uint32_t>(index % kBlock);
    for (const std::uint32_t factor : {0x2e5u, 0x1b3u, 0x0d9u}) {
      offset ^= offset >> 5;
      offset = offset * factor % kBlock;
    }
    return index / kBlock * kBlock + (offset ^ offset >> 5);
  }

  // Copies a task to `index`, which counts both lists; it is at `position` of the arrays from kTag
  // on.
  template <TaskTag kTag = 0>
  MILLRACE_FUNCTION void move_task(std::uint64_t index, std::uint64_t position) const {
    if constexpr (kTag < Set::kTypes) {
      if (position >= counts[kTag]) return move_task<kTag + 1>(index, position - counts[kTag]);
      using T = typename Set::template Type<kTag>;
      const std::uint64_t before = given_before(index);
      const bool is_given = given_before(index + 1) > before;
      const WritableList<Set>& list = is_given ? given : kept;
      const std::uint64_t target = is_given ? before : index - before;
      list.slots[target].store(TaskArray<T>(arrays[kTag]).load(position));
      if constexpr (Set::kTypes > 1) list.tags[target] = kTag;
    }
  }
};

// Launched with a thread for each of `count` tasks, in blocks of kThreads.
template <class Set>
MILLRACE_KERNEL void split_frontier_kernel(FrontierSplit<Set> split, std::uint32_t count) {
  const std::uint64_t index =
      static_cast<std::uint64_t>(block_index()) * block_threads() + thread_index();
  if (index < count) split.move_task(index, FrontierSplit<Set>::mixed(index, count));
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_FRONTIER_SPLIT_H_

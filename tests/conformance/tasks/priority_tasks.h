// SPDX-License-Identifier: Apache-2.0

// Task sets whose types differ in priority.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_PRIORITY_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_PRIORITY_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::conformance {

// Writes when it ran, if one worker runs all: `log` has a count, then the levels in their order.
template <int level>
struct Urgent {
  static constexpr int kPriority = level;
  std::uint32_t* log;
  std::uint32_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (log != nullptr) {
      log[1 + log[0]] = level;
      ++log[0];
    }
    context.add(runs + level, 1u);
  }
};

// Spawns one of each level, lowest first.
struct UrgentRoot {
  static constexpr int kPriority = 9;
  std::uint32_t* log;
  std::uint32_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.spawn(Urgent<0>{log, runs});
    context.spawn(Urgent<1>{log, runs});
    context.spawn(Urgent<2>{log, runs});
  }
};
using UrgentTasks = TaskSet<Urgent<1>, Urgent<0>, UrgentRoot, Urgent<2>>;

// `each` tasks of each of three levels, which run in every wave.
struct Ranks {
  static constexpr std::uint32_t kLevels = 3;
  static constexpr std::uint32_t kWaves = 2;

  std::uint32_t each;
  std::uint32_t* runs;   // Waves in which each task has run, level by level.
  std::uint32_t* early;  // Tasks of each level that ran before one of a higher level of their wave.
};

// Finds out whether all tasks of higher levels of its wave have run.
template <std::uint32_t level>
struct Ranked {
  static constexpr int kPriority = level;
  Ranks ranks;
  std::uint32_t index;
  std::uint32_t wave;  // Counts from 1.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    bool is_early = false;
    for (std::uint32_t i = (level + 1) * ranks.each; i < Ranks::kLevels * ranks.each; ++i) {
      is_early = is_early || ranks.runs[i] != wave;
    }
    context.add(ranks.early + level, is_early ? 1u : 0u);
    ranks.runs[level * ranks.each + index] = wave;
    if (wave < Ranks::kWaves) context.spawn(Ranked{ranks, index, wave + 1});
  }
};
using RankedTasks = TaskSet<Ranked<1>, Ranked<0>, Ranked<2>>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_PRIORITY_TASKS_H_

// SPDX-License-Identifier: Apache-2.0

// The levels of a run (Context::spawn_at in task.h): backends run one after another.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_RUN_LEVELS_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_RUN_LEVELS_H_

#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/internal/level_queue.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace millrace {

// The current level of a run, and the tasks of later ones. A worker of a CPU has one of its own.
template <class Set>
struct RunLevels {
  std::uint32_t current = 0;
  LevelQueue<Set> later;

  std::uint32_t level() const { return current; }

  // Keeps a task of a later level than the current one, and returns true.
  template <class T>
  bool hold(std::uint32_t level, const T& task) {
    if (level <= current) return false;
    later.push(level, task);
    return true;
  }

  // Adds tasks at the levels of their list.
  void push_all(const TaskList<Set>& tasks) { later.push_all(tasks); }

  // Begins the lowest level that has tasks, and calls run(roots). There must be one.
  template <class Run>
  void run_next(const Run& run) {
    current = later.lowest();
    run(later.take_lowest());
  }

  bool has_later() const { return !later.empty(); }
  std::size_t later_tasks() const { return later.size(); }

  // Moves the tasks of later levels from `worker` here.
  void take(RunLevels& worker) { later.take(worker.later); }

  // Returns `tasks`, which are of the current level, and all of later levels, with their levels.
  // Later levels have none left.
  TaskList<Set> take_all(TaskList<Set>&& tasks) {
    TaskList<Set> all;
    all.reserve(tasks.size() + later.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      all.push_at(current, tasks.view().tag(i), tasks.slot_data()[i]);
    }
    later.move_to(all);
    return all;
  }
};

// Stands for RunLevels in sets without levels.
struct NoLevels {
  template <class T>
  static constexpr bool hold(std::uint32_t, const T&) {
    return false;
  }
  static constexpr bool has_later() { return false; }
  static constexpr std::size_t later_tasks() { return 0; }
  void take(NoLevels&) {}
  template <class List>
  List take_all(List tasks) {
    return tasks;
  }
};

template <class Set>
using RunLevelsOf = std::conditional_t<Set::kHasLevels, RunLevels<Set>, NoLevels>;

// Returns the options of a run for a segment of it that begins now: with the rest of the deadline.
inline RunOptions options_since(RunOptions options, RunClock::time_point begin) {
  if (options.deadline.count() == 0) return options;
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(RunClock::now() - begin);
  options.deadline = std::max(options.deadline - passed, std::chrono::nanoseconds(1));
  return options;
}

// Returns the part of a report that was added since it was `before`.
inline RunReport report_since(RunReport report, const RunReport& before) {
  for (std::size_t i = 0; i < before.tasks_by_type.size(); ++i) {
    report.tasks_by_type[i] -= before.tasks_by_type[i];
  }
  report.waves -= before.waves;
  report.steals -= before.steals;
  report.seconds -= before.seconds;
  report.switches -= before.switches;
  return report;
}

// Calls run_level(roots, options) for the roots of a run and then for the tasks of each later
// level, which earlier calls leave in `levels`. A list of roots may have levels of its own.
template <class Roots, class Levels, class RunLevel>
void run_by_level(const Roots& roots, const RunOptions& options, Levels& levels,
                  const RunLevel& run_level) {
  using Set = typename Roots::Set;
  if constexpr (!Set::kHasLevels) {
    run_level(roots, options);
  } else {
    const auto begin = RunClock::now();
    bool has_levels = false;
    if constexpr (std::is_same_v<Roots, TaskList<Set>>) {
      has_levels = roots.has_levels();
      if (has_levels) levels.push_all(roots);
    }
    if (!has_levels) run_level(roots, options);
    while (levels.has_later()) {
      levels.run_next([&](const auto& tasks) { run_level(tasks, options_since(options, begin)); });
    }
  }
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_RUN_LEVELS_H_

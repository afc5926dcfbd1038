// SPDX-License-Identifier: Apache-2.0

// What a run that was stopped leaves, gathered from its workers.
#ifndef MILLRACE_BACKENDS_CPU_RUN_STOPPED_WORK_H_
#define MILLRACE_BACKENDS_CPU_RUN_STOPPED_WORK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <millrace/backends/cpu/run/task_context.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace::cpu {

template <class Set>
struct StoppedWork {
  std::array<std::uint64_t, Set::kTypes> tasks_left{};  // By type.
  TaskList<Set> unstarted;                              // Those tasks, where the run keeps them.
  std::vector<WorkerTrace> workers;

  // After the worker has ended. Takes its part away from it.
  void add(WorkerState<Set>& state) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      state.trace.heartbeat += state.tasks_run[tag];
      tasks_left[tag] += state.tasks_left[tag];
    }
    workers.push_back(std::move(state.trace));
    const TaskList<Set> mine = std::move(state.unstarted);
    unstarted.append(mine);
  }
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_STOPPED_WORK_H_

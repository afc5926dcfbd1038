// SPDX-License-Identifier: Apache-2.0

// The state of a worker, under any policy, and what it leaves when its run is stopped.
#ifndef MILLRACE_BACKENDS_CPU_RUN_WORKER_STATE_H_
#define MILLRACE_BACKENDS_CPU_RUN_WORKER_STATE_H_

#include <millrace/backends/cpu/run/add_cache.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/waiting_work.h>
#include <millrace/backends/cpu/status/poll_interval.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::cpu {

// The state that a worker keeps through a run.
template <class Set>
struct WorkerState {
  // First, so that it has the address of the worker: one register is enough for both.
  [[no_unique_address]] JoinCacheOf<Set> joins;
  AddCache adds;
  [[no_unique_address]] RunLevelsOf<Set> levels;
  const ArgumentsOf<Set>* arguments = nullptr;
  std::array<std::uint64_t, Set::kTypes> tasks_run{};

  // Blocks of Set::kScratchBytes, one for each task on the thread's stack that took scratch. There
  // is more than one if a task waits inside a parallel algorithm and its thread runs another task.
  std::vector<std::unique_ptr<std::byte[]>> scratch;
  std::size_t scratch_in_use = 0;

  // Items that this worker was given and had not started when the run was stopped: their number,
  // and the items if the run keeps them. The trace's heartbeat counts batch bodies only; the counts
  // in tasks_run are added to it.
  std::array<std::uint64_t, Set::kTypes> tasks_left{};
  TaskList<Set> unstarted;
  WorkerTrace trace;
  PollInterval poll_interval;

  // Called before the worker's first task.
  void use(WaitingWork<Set>& waiting) {
    joins.use(waiting.joins);
    arguments = waiting.arguments;
    if constexpr (Set::kHasLevels) levels.current = waiting.levels.current;
  }

  // Called after the worker's last task.
  void give_back(WaitingWork<Set>& waiting) {
    joins.give_back_all();
    waiting.levels.take(levels);
  }

  // Records that the run was stopped while this worker ran `task`.
  template <class T>
  [[gnu::noinline]] void was_running(const T& task) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&task);
    trace.last_task.assign(bytes, bytes + sizeof(T));
    trace.is_running = true;
  }
};

// The work that a stopped run leaves, gathered from its workers.
template <class Set>
struct StoppedWork {
  std::array<std::uint64_t, Set::kTypes> tasks_left{};  // Indexed by type.
  TaskList<Set> unstarted;                              // These tasks, if the run keeps them.
  std::vector<WorkerTrace> workers;

  // Moves the worker's work to this object. Called after the worker has ended.
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

#endif  // MILLRACE_BACKENDS_CPU_RUN_WORKER_STATE_H_

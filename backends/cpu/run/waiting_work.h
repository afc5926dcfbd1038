// SPDX-License-Identifier: Apache-2.0

// The work of a run on the CPU that is not ready: open joins, and tasks that are held back for a
// later level.
#ifndef MILLRACE_BACKENDS_CPU_RUN_WAITING_WORK_H_
#define MILLRACE_BACKENDS_CPU_RUN_WAITING_WORK_H_

#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/task_list.h>

#include <type_traits>
#include <utility>

namespace millrace::cpu {

// It exists during the whole run. Workers have free records of `joins`, and fill later levels
// of their own; both come back when a segment of the run ends.
template <class Set>
struct WaitingWork {
  [[no_unique_address]] JoinPoolOf<Set> joins;
  [[no_unique_address]] RunLevelsOf<Set> levels;
  Participant<Set>* participant = nullptr;      // Null unless several devices share the run.
  const ArgumentsOf<Set>* arguments = nullptr;  // The run's, if it has any.

  // Called before the run's first task. Opens the joins of a stopped run, at which its roots
  // arrive.
  template <class Roots>
  void begin(const Roots& roots, Participant<Set>* shared_with) {
    participant = shared_with;
    if constexpr (Set::kOpensJoins) {
      if (participant != nullptr) joins.share_with(*participant);
    }
    if constexpr (std::is_same_v<Roots, TaskList<Set>>) {
      arguments = roots.arguments();
      if constexpr (Set::kOpensJoins) joins.load(roots.joins());
    }
  }

  // Called when a run has no task left, perhaps with joins open: other devices may arrive there, or
  // else kTaskFailed is thrown.
  void end_joins() const {
    if constexpr (Set::kOpensJoins) {
      if (levels.has_later() || joins.open_count() == 0) return;
      if (participant == nullptr) throw_waiting<Set>(joins.open_joins());
      participant->keep(joins.open_joins());
    }
  }

  // Returns all that a stopped run leaves, of which these tasks are ready.
  TaskList<Set> take_all(TaskList<Set> ready) {
    TaskList<Set> all = levels.take_all(std::move(ready));
    if constexpr (Set::kOpensJoins) {
      for (const WaitingJoin<Set>& join : joins.open_joins()) all.push(join);
    }
    return all;
  }
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_WAITING_WORK_H_

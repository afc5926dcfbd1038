// SPDX-License-Identifier: Apache-2.0

// The work of a run on the CPU that is not ready: open joins, and tasks that are held back for a
// later level.
#ifndef MILLRACE_BACKENDS_CPU_RUN_WAITING_WORK_H_
#define MILLRACE_BACKENDS_CPU_RUN_WAITING_WORK_H_

#include <type_traits>
#include <utility>

#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/runtime/tasks/run_levels.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/waiting_join.h>

namespace millrace::cpu {

// It exists during the whole run. Workers have free places of `joins`, and fill later levels of
// their own; both come back when a part of the run ends.
template <class Set>
struct WaitingWork {
  [[no_unique_address]] JoinPoolOf<Set> joins;
  [[no_unique_address]] RunLevelsOf<Set> levels;

  // Opens the joins of a stopped run, at which its roots arrive.
  template <class Roots>
  void load_joins(const Roots& roots) {
    if constexpr (Set::kOpensJoins && std::is_same_v<Roots, TaskList<Set>>) {
      joins.load(roots.joins());
    }
  }

  // Throws kTaskFailed if a run has no task left and joins open.
  void check_joins_ended() const {
    if constexpr (Set::kOpensJoins) {
      if (!levels.has_later() && joins.open_count() > 0) throw_waiting<Set>(joins.open_joins());
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

// What a run that was stopped leaves, gathered from its workers.
#ifndef MILLRACE_BACKENDS_TBB_STOPPED_WORK_H_
#define MILLRACE_BACKENDS_TBB_STOPPED_WORK_H_

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <millrace/backends/tbb/task_context.h>
#include <millrace/runtime/run_stopped.h>
#include <millrace/runtime/task_list.h>

namespace millrace::tbb_backend {

template <class Set>
struct StoppedWork {
  std::uint64_t tasks_left = 0;
  TaskList<Set> unstarted;  // Those tasks, where the run keeps them.
  std::vector<WorkerTrace> workers;

  // After the worker has ended. Takes its part away from it.
  void add(WorkerState<Set>& state) {
    state.trace.heartbeat =
        std::accumulate(state.tasks_run.begin(), state.tasks_run.end(), std::uint64_t{0});
    workers.push_back(std::move(state.trace));
    tasks_left += state.tasks_left;
    const TaskList<Set> mine = std::move(state.unstarted);
    unstarted.append(mine);
  }
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_STOPPED_WORK_H_

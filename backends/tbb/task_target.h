// Compiles task sets for the CPU (see runtime/run_tasks.h).
#ifndef MILLRACE_BACKENDS_TBB_TASK_TARGET_H_
#define MILLRACE_BACKENDS_TBB_TASK_TARGET_H_

#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include <millrace/backends/tbb/persistent_runner.h>
#include <millrace/backends/tbb/root_items.h>
#include <millrace/backends/tbb/run_status.h>
#include <millrace/backends/tbb/tbb_queue.h>
#include <millrace/backends/tbb/wave_runner.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::tbb_backend {

// kAuto, for now by rule: an indexed queue is mostly flat, and one parallel_for over it is the
// least work; a list of roots mostly grows into a tree, which the deques balance without barriers.
template <class Set>
constexpr Policy automatic_policy(const IndexedTasks<Set>*) {
  return Policy::kUberkernel;
}
template <class Set>
constexpr Policy automatic_policy(const TaskList<Set>*) {
  return Policy::kPersistentThreads;
}

// Runs a queue; the report is written when all went well.
template <class Roots>
void execute(const Roots& roots, Policy policy, RunReport& report) {
  using Set = typename Roots::Set;
  const auto counts = count_types(roots);
  RunReport result{.policy = policy, .tasks_by_type = std::vector<std::uint64_t>(Set::kTypes)};
  RunStatus status;
  const auto start = std::chrono::steady_clock::now();
  if (policy == Policy::kPersistentThreads) {
    PersistentRunner<Roots> runner(roots, status);
    runner.run();
    runner.add_to(result);
  } else {
    WaveRunner<Set> runner(policy, status);
    runner.run(roots, counts);
    runner.add_to(result);
  }
  const auto end = std::chrono::steady_clock::now();
  result.seconds = std::chrono::duration<double>(end - start).count();
  if constexpr (kHasBatchBody<Roots>) result.tasks_by_type.assign(counts.begin(), counts.end());
  status.rethrow();
  report = std::move(result);
}

template <class Roots>
void run_on_tbb(Queue& queue, TaskRun<Roots> run) {
  const auto start = run.caller_waits ? TbbQueue::Start::kAtWait : TbbQueue::Start::kNow;
  static_cast<TbbQueue&>(queue).enqueue(
      [run = std::move(run)] {
        const Policy asked = run.options.policy;
        try {
          execute(*run.roots, asked == Policy::kAuto ? automatic_policy(run.roots.get()) : asked,
                  *run.report);
        } catch (const std::bad_alloc&) {
          throw Error(ErrorCode::kOutOfMemory, "the host's memory ran out in a run");
        }
      },
      start);
}

// Makes run_tasks work for a set on the CPU: one object of static storage in a source compiled for
// this target.
template <class Set>
struct RegisterTasks {
  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add("tbb", &run_on_tbb<TaskList<Set>>);
    if constexpr (requires { typename Set::Arguments; }) {
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add("tbb", &run_on_tbb<IndexedTasks<Set>>);
    }
  }
};

}  // namespace millrace::tbb_backend

namespace millrace {
namespace target = tbb_backend;
}

#endif  // MILLRACE_BACKENDS_TBB_TASK_TARGET_H_

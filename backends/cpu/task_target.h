// Compiles task sets for the CPU (see runtime/run_tasks.h).
#ifndef MILLRACE_BACKENDS_CPU_TASK_TARGET_H_
#define MILLRACE_BACKENDS_CPU_TASK_TARGET_H_

#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

#include <millrace/backends/cpu/cpu_queue.h>
#include <millrace/backends/cpu/persistent_runner.h>
#include <millrace/backends/cpu/root_items.h>
#include <millrace/backends/cpu/run_status.h>
#include <millrace/backends/cpu/run_watch.h>
#include <millrace/backends/cpu/stopped_work.h>
#include <millrace/backends/cpu/target.h>
#include <millrace/backends/cpu/wave_runner.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::cpu {

// kAuto, for now by rule: an indexed queue is mostly flat, and one parallel loop over it is the
// least work; a list of roots mostly grows into a tree, which the deques balance without barriers.
template <class Set>
constexpr Policy automatic_policy(const IndexedTasks<Set>*) {
  return Policy::kUberkernel;
}
template <class Set>
constexpr Policy automatic_policy(const TaskList<Set>*) {
  return Policy::kPersistentThreads;
}

// Throws why a run ended before its time, if it did: a failure, or a cancellation that left
// something undone.
template <class Roots, class Runner>
void throw_if_stopped(Runner& runner, const RunStatus& status, RunReport& result) {
  using Set = typename Roots::Set;
  status.rethrow();
  if (status.cancelled() == nullptr) return;
  StoppedWork<Set> stopped;
  runner.add_to(stopped);
  const auto& left = stopped.tasks_left;
  const std::uint64_t tasks_left = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
  if (tasks_left == 0) return;
  if constexpr (kHasBatchBody<Roots>) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) result.tasks_by_type[tag] -= left[tag];
  }
  RunProgress progress{result.tasks_by_type, tasks_left, std::move(stopped.workers)};
  if (status.keeps_unfinished()) {
    throw UnfinishedRun<Set>(ErrorCode::kCancelled, status.cancelled(), std::move(progress),
                             std::move(stopped.unstarted));
  }
  throw RunStopped(ErrorCode::kCancelled, status.cancelled(), std::move(progress));
}

// Runs a queue; the report is written when all went well.
template <class Roots>
void execute(CpuThreads& threads, const Roots& roots, Policy policy, const RunOptions& options,
             RunReport& report) {
  using Set = typename Roots::Set;
  const auto counts = count_types(roots);
  RunReport result{.policy = policy, .tasks_by_type = std::vector<std::uint64_t>(Set::kTypes)};
  RunStatus status(options.keep_unfinished);
  const auto start = std::chrono::steady_clock::now();
  const auto run = [&](auto& runner, const auto&... arguments) {
    {
      const RunWatch watch(options, status);
      runner.run(arguments...);
    }
    runner.add_to(result);
    const auto end = std::chrono::steady_clock::now();
    result.seconds = std::chrono::duration<double>(end - start).count();
    if constexpr (kHasBatchBody<Roots>) result.tasks_by_type.assign(counts.begin(), counts.end());
    throw_if_stopped<Roots>(runner, status, result);
  };
  if (policy == Policy::kPersistentThreads) {
    PersistentRunner<Roots> runner(threads, roots, status);
    run(runner);
  } else {
    WaveRunner<Set> runner(threads, policy, status);
    run(runner, roots, counts);
  }
  report = std::move(result);
}

template <class Roots>
void run_on_cpu(Queue& queue, TaskRun<Roots> run) {
  const auto start = run.caller_waits ? CpuQueue::Start::kAtWait : CpuQueue::Start::kNow;
  const char* const name = to_string(run.options.policy);
  auto& cpu_queue = static_cast<CpuQueue&>(queue);
  cpu_queue.enqueue(
      [&threads = cpu_queue.threads(), run = std::move(run)] {
        const Policy asked = run.options.policy;
        try {
          execute(threads, *run.roots,
                  asked == Policy::kAuto ? automatic_policy(run.roots.get()) : asked, run.options,
                  *run.report);
        } catch (const std::bad_alloc&) {
          throw Error(ErrorCode::kOutOfMemory, "the host's memory ran out in a run");
        }
      },
      start, name);
}

// Makes run_tasks work for a set on the CPU: one object of static storage in a source compiled for
// this target.
template <class Set>
struct RegisterTasks {
  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add(kTarget, &run_on_cpu<TaskList<Set>>);
    if constexpr (requires { typename Set::Arguments; }) {
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add(kTarget, &run_on_cpu<IndexedTasks<Set>>);
    }
  }
};

}  // namespace millrace::cpu

namespace millrace {
namespace target = cpu;
}

#endif  // MILLRACE_BACKENDS_CPU_TASK_TARGET_H_

// Compiles task sets for the CPU (see runtime/run_tasks.h).
#ifndef MILLRACE_BACKENDS_CPU_TASK_TARGET_H_
#define MILLRACE_BACKENDS_CPU_TASK_TARGET_H_

#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <typeinfo>
#include <utility>

#include <millrace/backends/cpu/cpu_queue.h>
#include <millrace/backends/cpu/persistent_runner.h>
#include <millrace/backends/cpu/root_items.h>
#include <millrace/backends/cpu/run_status.h>
#include <millrace/backends/cpu/run_watch.h>
#include <millrace/backends/cpu/stopped_work.h>
#include <millrace/backends/cpu/target.h>
#include <millrace/backends/cpu/wave_runner.h>
#include <millrace/runtime/automatic_run.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::cpu {

// One run, or a part of one under kAuto.
struct RunPart {
  Policy policy;
  const RunOptions& options;
  AutomaticRun* automatic;  // Null where the policy was given.
};

// Throws why a run ended before its time, if it did: a failure, or a cancellation that left
// something undone. What another look leaves is returned.
template <class Roots, class Runner>
TaskList<typename Roots::Set> end_run(Runner& runner, const RunStatus& status, const RunPart& part,
                                      RunReport& result) {
  using Set = typename Roots::Set;
  status.rethrow();
  if (status.cancelled() == nullptr) return {};
  StoppedWork<Set> stopped;
  runner.add_to(stopped);
  const auto& left = stopped.tasks_left;
  const std::uint64_t tasks_left = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
  if (tasks_left == 0) return {};
  if (status.cancelled() == kStoppedForALook) return std::move(stopped.unstarted);
  if constexpr (kHasBatchBody<Roots>) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) result.tasks_by_type[tag] -= left[tag];
  }
  RunProgress progress{result.tasks_by_type, tasks_left, std::move(stopped.workers)};
  if (part.options.keep_unfinished) {
    throw UnfinishedRun<Set>(ErrorCode::kCancelled, status.cancelled(), std::move(progress),
                             std::move(stopped.unstarted));
  }
  throw RunStopped(ErrorCode::kCancelled, status.cancelled(), std::move(progress));
}

// Runs a queue and adds to `result`. Returns what is to go on as another part.
template <class Roots>
TaskList<typename Roots::Set> execute(CpuThreads& threads, const Roots& roots, const RunPart& part,
                                      RunReport& result) {
  using Set = typename Roots::Set;
  constexpr auto kNever = std::chrono::nanoseconds::max();
  const auto counts = count_types(roots);
  result.policy = part.policy;
  result.tasks_by_type.resize(Set::kTypes);
  const auto look_after = part.automatic == nullptr ? kNever : part.automatic->look_after();
  const bool is_looked_at = look_after != kNever;
  RunStatus status(part.options.keep_unfinished || is_looked_at);
  const auto start = std::chrono::steady_clock::now();
  const auto run = [&](auto& runner, std::chrono::nanoseconds stop_after,
                       const auto&... arguments) {
    {
      const RunWatch watch(part.options, stop_after, status);
      runner.run(arguments...);
    }
    runner.add_to(result);
    const auto end = std::chrono::steady_clock::now();
    result.seconds += std::chrono::duration<double>(end - start).count();
    if constexpr (kHasBatchBody<Roots>) result.tasks_by_type.assign(counts.begin(), counts.end());
    return end_run<Roots>(runner, status, part, result);
  };
  if (part.policy == Policy::kPersistentThreads) {
    PersistentRunner<Roots> runner(threads, roots, status);
    return run(runner, look_after);
  }
  WaveRunner<Set> runner(threads, part.policy, status, is_looked_at ? part.automatic : nullptr);
  return run(runner, kNever, roots, counts);
}

// Runs a queue under kAuto, in as many parts as it takes.
template <class Roots>
void execute_automatically(const DeviceInfo& device, CpuThreads& threads, const Roots& roots,
                           const RunOptions& options, RunReport& result) {
  AutomaticRun automatic(device, threads.concurrency(), typeid(Roots), known_features(roots));
  auto rest = execute(threads, roots, {automatic.policy(), options, &automatic}, result);
  while (!rest.empty()) {
    if (automatic.policy() == Policy::kPersistentThreads &&
        result.policy == Policy::kPersistentThreads) {
      const RunSight sight{.seconds = result.seconds,
                           .tasks = static_cast<double>(result.tasks()),
                           .pending = static_cast<double>(rest.size())};
      automatic.changes_policy(sight);
    }
    const RunOptions left = automatic.options_left(options);
    const auto part = std::move(rest);
    rest = execute(threads, part, {automatic.policy(), left, &automatic}, result);
  }
  automatic.finish(result);
}

template <class Roots>
void run_on_cpu(Queue& queue, TaskRun<Roots> run) {
  const auto start = run.caller_waits ? CpuQueue::Start::kAtWait : CpuQueue::Start::kNow;
  const char* const name = to_string(run.options.policy);
  auto& cpu_queue = static_cast<CpuQueue&>(queue);
  cpu_queue.enqueue(
      [&cpu_queue, run = std::move(run)] {
        CpuThreads& threads = cpu_queue.threads();
        const RunOptions& options = run.options;
        try {
          RunReport report;
          if (options.policy == Policy::kAuto) {
            execute_automatically(cpu_queue.device().info(), threads, *run.roots, options, report);
          } else {
            execute(threads, *run.roots, {options.policy, options, nullptr}, report);
          }
          *run.report = std::move(report);
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

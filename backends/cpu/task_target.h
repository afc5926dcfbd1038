// SPDX-License-Identifier: Apache-2.0

// Compiles task sets for the CPU (see runtime/tasks/run_tasks.h).
#ifndef MILLRACE_BACKENDS_CPU_TASK_TARGET_H_
#define MILLRACE_BACKENDS_CPU_TASK_TARGET_H_

#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/cpu/run/persistent_runner.h>
#include <millrace/backends/cpu/run/root_items.h>
#include <millrace/backends/cpu/run/task_context.h>
#include <millrace/backends/cpu/run/task_sharing.h>
#include <millrace/backends/cpu/run/waiting_work.h>
#include <millrace/backends/cpu/run/wave_runner.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/backends/cpu/status/run_watch.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/auto/type_mix.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace millrace::cpu {

// A run, or a segment of one under kAuto or of one that is shared.
struct RunSegment {
  Policy policy;
  const RunOptions& options;  // Options of the whole run.
  AutomaticRun* automatic;    // Null if the policy was given.
  // Beginning of the whole run, if it has a deadline and may be stopped before.
  RunClock::time_point begin{};

  RunOptions options_left() const {
    if (automatic != nullptr) return automatic->options_left(options, begin);
    return begin == RunClock::time_point() ? options : options_since(options, begin);
  }
  std::chrono::nanoseconds sample_after() const {
    return automatic == nullptr ? kNever : automatic->sample_after();
  }
};

// Throws the failure of a run, with what it has not started if its options request that and nothing
// is lost.
template <class Set, class Runner>
void throw_failure(Runner& runner, const RunStatus& status, WaitingWork<Set>& waiting,
                   const RunReport& result) {
  try {
    status.rethrow();
  } catch (const Error& failure) {
    if (!status.keeps_unfinished()) throw;
    StoppedWork<Set> stopped;
    runner.add_to(stopped);
    TaskList<Set> left = waiting.take_all(std::move(stopped.unstarted));
    RunProgress progress{result.tasks_by_type, left.size(), std::move(stopped.workers)};
    throw FailedRun<Set>(failure, std::move(progress), std::move(left));
  }
}

// Throws the reason if a run ended early: a failure, or a cancellation that left work. Returns the
// tasks that are to continue under another policy.
template <class Roots, class Runner>
TaskList<typename Roots::Set> end_run(Runner& runner, const RunStatus& status,
                                      const RunSegment& segment,
                                      WaitingWork<typename Roots::Set>& waiting,
                                      RunReport& result) {
  using Set = typename Roots::Set;
  if (status.has_failed()) throw_failure<Set>(runner, status, waiting, result);
  if (status.cancelled() == nullptr) {
    waiting.end_joins();
    return {};
  }
  StoppedWork<Set> stopped;
  runner.add_to(stopped);
  const auto& left = stopped.tasks_left;
  const std::uint64_t ready_left = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
  const bool is_sample = is_stopped_to_sample(status);
  if (ready_left == 0 && (is_sample || !waiting.levels.has_later())) {
    waiting.end_joins();
    return {};
  }
  if (is_sample) return std::move(stopped.unstarted);
  if constexpr (kHasBatchBody<Roots>) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) result.tasks_by_type[tag] -= left[tag];
  }
  RunProgress progress{result.tasks_by_type, ready_left + waiting.levels.later_tasks(),
                       std::move(stopped.workers)};
  if (segment.options.keep_unfinished) {
    throw UnfinishedRun<Set>(ErrorCode::kCancelled, status.cancelled(), std::move(progress),
                             waiting.take_all(std::move(stopped.unstarted)));
  }
  throw RunStopped(ErrorCode::kCancelled, status.cancelled(), std::move(progress));
}

// Runs until the end, a stop, or a sample after which another policy is predicted to be faster. A
// run that is shared gives tasks to other devices whenever they wait.
template <class Roots>
void run_persistent(PersistentRunner<Roots>& runner, const RunSegment& segment, RunStatus& status,
                    Participant<typename Roots::Set>* participant) {
  {
    const RunWatch watch(segment.options_left(), segment.sample_after(), status);
    const TaskSharing sharing(participant, status);
    runner.run();
  }
  while (is_stopped_to_sample(status) && !status.has_failed()) {
    const bool is_shared = participant != nullptr;
    const bool has_given = is_shared && runner.give(*participant);
    if (!is_shared) {
      const RunSample sample = runner.take_sample();
      if (sample.pending == 0 || segment.automatic->changes_policy(sample)) return;
    }
    status.resume();
    const auto sample_after = is_shared && !has_given ? kShareAgain : segment.sample_after();
    const RunWatch watch(segment.options_left(), sample_after, status);
    const TaskSharing sharing(has_given ? participant : nullptr, status);
    runner.resume();
  }
}

// Runs a queue, whose roots by type are `counts`, and adds to `result`. Returns the tasks that are
// to continue as another segment.
template <class Roots>
TaskList<typename Roots::Set> execute(CpuThreads& threads, const Roots& roots,
                                      const TypeCounts<typename Roots::Set>& counts,
                                      const RunSegment& segment,
                                      WaitingWork<typename Roots::Set>& waiting,
                                      RunReport& result) {
  using Set = typename Roots::Set;
  result.policy = segment.policy;
  result.tasks_by_type.resize(Set::kTypes);
  RunStatus status(segment.options.deadline.count() > 0 || segment.options.stop.stop_possible() ||
                       waiting.participant != nullptr,
                   segment.options.keep_unfinished);
  const auto start = std::chrono::steady_clock::now();
  const auto end = [&](auto& runner) {
    runner.add_to(result);
    const auto now = std::chrono::steady_clock::now();
    result.seconds += std::chrono::duration<double>(now - start).count();
    if constexpr (kHasBatchBody<Roots>) result.tasks_by_type.assign(counts.begin(), counts.end());
    return end_run<Roots>(runner, status, segment, waiting, result);
  };
  if (segment.policy == Policy::kPersistentThreads) {
    PersistentRunner<Roots> runner(threads, roots, status, waiting);
    run_persistent(runner, segment, status, waiting.participant);
    return end(runner);
  }
  WaveRunner<Set> runner(threads, segment.policy, status, waiting,
                         segment.sample_after() == kNever ? nullptr : segment.automatic);
  {
    const RunWatch watch(segment.options_left(), kNever, status);
    runner.run(roots, counts);
  }
  return end(runner);
}

// Runs a queue under kAuto, in as many segments as it takes.
template <class Roots>
void execute_automatically(const DeviceInfo& device, CpuThreads& threads, const Roots& roots,
                           const RunOptions& options, WaitingWork<typename Roots::Set>& waiting,
                           RunReport& result) {
  const auto begin = options.deadline.count() > 0 ? RunClock::now() : RunClock::time_point();
  static RunHistory::CachedKind cached;
  const RunReport before =
      Roots::Set::kHasLevels ? result : RunReport();  // Report of the earlier levels.
  const auto counts = count_types(roots);
  AutomaticRun automatic(device, threads.concurrency(), typeid(Roots),
                         known_features(roots, gini_simpson(counts)), &cached);
  auto rest = execute(threads, roots, counts, {automatic.policy(), options, &automatic, begin},
                      waiting, result);
  while (!rest.empty()) {
    const auto segment = std::move(rest);
    rest = execute(threads, segment, count_types(segment),
                   {automatic.policy(), options, &automatic, begin}, waiting, result);
  }
  if constexpr (Roots::Set::kHasLevels) {
    RunReport level = report_since(result, before);
    automatic.finish(level, level.seconds);
    result.switches = before.switches + level.switches;
  } else {
    automatic.finish(result, result.seconds);
  }
}

// Runs a segment of a run that several devices share. Waves give tasks to others between two of
// them.
template <class Roots>
void execute_shared(CpuThreads& threads, const Roots& roots, const RunOptions& options,
                    WaitingWork<typename Roots::Set>& waiting, RunReport& result) {
  const Policy policy =
      options.policy == Policy::kAuto ? Policy::kPersistentThreads : options.policy;
  const RunSegment segment{policy, options, nullptr,
                           options.deadline.count() > 0 ? RunClock::now() : RunClock::time_point()};
  auto rest = execute(threads, roots, count_types(roots), segment, waiting, result);
  while (!rest.empty()) {
    give_some(*waiting.participant, rest);
    const auto now = std::move(rest);
    rest = execute(threads, now, count_types(now), segment, waiting, result);
  }
}

// Runs a queue, or a level of one.
template <class Roots>
void execute_level(CpuQueue& queue, const Roots& roots, const RunOptions& options,
                   WaitingWork<typename Roots::Set>& waiting, RunReport& report) {
  CpuThreads& threads = queue.threads();
  if constexpr (Roots::Set::kTravels && std::is_same_v<Roots, TaskList<typename Roots::Set>>) {
    if (waiting.participant != nullptr) {
      return execute_shared(threads, roots, options, waiting, report);
    }
  }
  if (options.policy == Policy::kAuto) {
    execute_automatically(queue.device().info(), threads, roots, options, waiting, report);
  } else {
    execute(threads, roots, count_types(roots), {options.policy, options, nullptr}, waiting,
            report);
  }
}

template <class Roots>
void run_on_cpu(Queue& queue, TaskRun<Roots> run) {
  const auto start = run.caller_waits ? CpuQueue::Start::kAtWait : CpuQueue::Start::kNow;
  const char* const name = to_string(run.options.policy);
  auto& cpu_queue = static_cast<CpuQueue&>(queue);
  cpu_queue.enqueue(
      [&cpu_queue, run = std::move(run)] {
        try {
          RunReport report;
          WaitingWork<typename Roots::Set> waiting;
          [[maybe_unused]] const auto begin = std::chrono::steady_clock::now();
          waiting.begin(*run.roots, run.participant);
          run_by_level(*run.roots, run.options, waiting.levels,
                       [&](const auto& roots, const RunOptions& options) {
                         execute_level(cpu_queue, roots, options, waiting, report);
                       });
          if constexpr (Roots::Set::kHasLevels) report.seconds = seconds_since(begin);
          *run.report = std::move(report);
        } catch (const std::bad_alloc&) {
          throw Error(ErrorCode::kOutOfMemory,
                      "the host's memory ran out in a run; run a part of the roots at a time");
        }
      },
      start, name);
}

// Makes run_tasks work for a set on the CPU. Define one object of static storage duration in a
// source that is compiled for this target.
template <class Set>
struct RegisterTasks {
  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add(kTarget, &run_on_cpu<TaskList<Set>>);
    if constexpr (HasIndexedRoots<Set>) {
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add(kTarget, &run_on_cpu<IndexedTasks<Set>>);
    }
  }
};

}  // namespace millrace::cpu

namespace millrace {
namespace target = cpu;
}

#endif  // MILLRACE_BACKENDS_CPU_TASK_TARGET_H_

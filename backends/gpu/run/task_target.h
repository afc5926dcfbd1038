// SPDX-License-Identifier: Apache-2.0

// Compiles task sets for a GPU (see runtime/tasks/run_tasks.h). Each target's own task_target.h
// selects the target.
#ifndef MILLRACE_BACKENDS_GPU_RUN_TASK_TARGET_H_
#define MILLRACE_BACKENDS_GPU_RUN_TASK_TARGET_H_

#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/run/join_collection.h>
#include <millrace/backends/gpu/run/task_runner.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The inputs of a run besides its roots. Each is null if there is none.
template <class Set>
struct RunSurroundings {
  Participant<Set>* participant = nullptr;
  const void* arguments = nullptr;  // ArgumentsOf<Set> in memory of the device.
};

// Runs a queue under kAuto, in as many segments as it takes.
// `earlier` is the report of earlier levels.
template <class Roots>
RunReport run_automatically(GpuQueue& queue, const Roots& roots, const RunOptions& options,
                            DeviceLevelsOf<typename Roots::Set>& levels, const RunReport& earlier,
                            const RunSurroundings<typename Roots::Set>& given) {
  using Set = typename Roots::Set;
  const auto begin = std::chrono::steady_clock::now();
  const RunClock::time_point run_begin = RunClock::now();
  RunClock::time_point segment_begin = run_begin;
  static RunHistory::CachedKind cached;
  AutomaticRun automatic(queue.device().info(), /*workers=*/0, typeid(Roots), known_features(roots),
                         &cached);
  TaskRunner<Set> first(queue, automatic.policy(), options, levels, earlier,
                        {.automatic = &automatic, .arguments = given.arguments});
  RunReport before = earlier;
  RunReport report = first.run(roots);
  TaskList<Set> rest = first.remaining();
  while (!rest.empty()) {
    if (automatic.policy() == Policy::kPersistentThreads &&
        report.policy == Policy::kPersistentThreads) {
      const RunSample sample{.seconds = millrace::seconds_between(segment_begin, RunClock::now()),
                             .tasks = static_cast<double>(report.tasks() - before.tasks()),
                             .pending = static_cast<double>(rest.size())};
      automatic.changes_policy(sample);
    }
    const RunOptions left = automatic.options_left(options, run_begin);
    before = report;
    segment_begin = RunClock::now();
    TaskRunner<Set> next(queue, automatic.policy(), left, levels, std::move(report),
                         {.automatic = &automatic, .arguments = given.arguments});
    report = next.run(rest);
    rest = next.remaining();
  }
  const double seconds = seconds_since(begin);
  if constexpr (Set::kHasLevels) {
    RunReport level = report_since(report, earlier);
    automatic.finish(level, seconds);
    report.switches = earlier.switches + level.switches;
  } else {
    automatic.finish(report, seconds);
  }
  return report;
}

// Returns when the first waves of a segment have spread its tasks enough to be shared: so many that
// portions of equal size take about as long. Each task of a set that opens joins costs an arrival,
// and lanes with joins of their own on their stacks are busier with fewer roots. Wide tasks take
// their turns in a wave.
template <class Set>
WaveGoal spread_goal(const gpu::Properties& device, float given_fraction) {
  const std::uint32_t of_lanes = !Set::kOpensJoins ? 64 : given_fraction > 0.2F ? 16 : 4;
  constexpr bool kAreWide =
      !have_same_width<Set>() || width_of<typename Set::template Type<0>>() != TaskWidth::kLane;
  const std::uint32_t of_multiprocessor = kAreWide ? 4 : of_lanes;
  const auto multiprocessors = static_cast<std::uint32_t>(std::max(device.multiprocessors, 1));
  return {.tasks = multiprocessors * of_multiprocessor, .waves = 16};
}

// Runs a segment of a run that several devices share. If it is to spread the run's roots, it runs
// waves until there are enough tasks for all, and shares these out. Waves give tasks to others
// between two of them, too.
template <class Set>
RunReport run_shared(GpuQueue& queue, const TaskList<Set>& roots, const RunOptions& options,
                     DeviceLevelsOf<Set>& levels, Participant<Set>& participant,
                     const void* arguments) {
  const auto begin = RunClock::now();
  const Policy policy =
      options.policy == Policy::kAuto ? Policy::kPersistentThreads : options.policy;
  const gpu::Properties& device = queue.gpu_device().properties();
  RunReport report;
  TaskList<Set> rest;
  RunOptions left;
  const auto runner_of = [&](Policy how) {
    left = options_since(options, begin);
    return TaskRunner<Set>(queue, how, left, levels, std::move(report),
                           {.participant = &participant, .arguments = arguments});
  };
  const auto run_segment = [&](const auto& segment) {
    auto runner = runner_of(policy);
    report = runner.run(segment);
    rest = runner.remaining();
  };
  if (const float wanted = participant.wanted();
      Set::kSpawns && wanted > 0 && participant.spreads() && device.has_cooperative_launch) {
    auto runner = runner_of(Policy::kUberkernel);
    const WaveGoal goal = spread_goal<Set>(device, wanted);
    SpreadTasks<Set> tasks = runner.spread(roots, goal, wanted);
    report = runner.report(policy);
    rest = runner.remaining();
    participant.share_out(std::move(tasks.given));
    if (tasks.kept.size() > 0) {
      participant.give(std::exchange(rest, {}));
      run_segment(tasks.kept);
    }
  } else {
    run_segment(roots);
  }
  while (!rest.empty()) {
    if (const float wanted = participant.wanted(); wanted > 0) {
      const auto count = static_cast<std::size_t>(wanted * static_cast<float>(rest.size()));
      participant.give(rest.take_last(count));
    }
    const TaskList<Set> segment = std::exchange(rest, {});
    run_segment(segment);
  }
  return report;
}

// Runs a queue, or a level of one.
template <class Roots>
RunReport run_level(GpuQueue& queue, const Roots& roots, const RunOptions& options,
                    DeviceLevelsOf<typename Roots::Set>& levels, const RunReport& earlier,
                    const RunSurroundings<typename Roots::Set>& given) {
  using Set = typename Roots::Set;
  if constexpr (Set::kTravels && std::is_same_v<Roots, TaskList<Set>>) {
    if (given.participant != nullptr) {
      return run_shared(queue, roots, options, levels, *given.participant, given.arguments);
    }
  }
  if (options.policy == Policy::kAuto) {
    return run_automatically(queue, roots, options, levels, earlier, given);
  }
  return TaskRunner<Set>(queue, options.policy, options, levels, earlier,
                         {.arguments = given.arguments})
      .run(roots);
}

template <class Roots>
void begin_joins(GpuQueue& queue, RunBuffers& buffers, const Roots& roots,
                 const Participant<typename Roots::Set>* participant) {
  using Set = typename Roots::Set;
  if constexpr (!Set::kOpensJoins) {
    return;
  } else if constexpr (std::is_same_v<Roots, TaskList<Set>>) {
    buffers.joins.begin(roots.joins(), participant == nullptr ? JoinHome() : participant->home());
    restore_joins(queue, buffers, roots.joins());
  } else {
    buffers.joins.begin(std::vector<WaitingJoin<Set>>());
  }
}

// Hands joins over that are open when the run has ended: other devices may arrive there, or else
// kTaskFailed is thrown.
template <class Set>
void end_joins(GpuQueue& queue, RunBuffers& buffers, Participant<Set>* participant) {
  if constexpr (Set::kOpensJoins) {
    JoinBuffers& joins = buffers.joins;
    if (joins.open_count() == 0) return joins.end();
    if constexpr (Set::kTravels) {
      if (participant != nullptr) return participant->keep(collect_joins<Set>(queue, buffers));
    }
    throw_waiting(joins.open_joins<Set>());
  }
}

// Called while an error of the run is handled. If no task can have run, and the run's tasks are to
// be kept, throws the error with all roots; or else as it is.
template <class Roots>
[[noreturn]] void throw_with_roots(const Error& error, const TaskRun<Roots>& run) {
  using Set = typename Roots::Set;
  const bool is_of_caller =
      error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kUnsupported;
  // Derived errors have tasks already.
  if (!run.options.keep_unfinished || is_of_caller || typeid(error) != typeid(Error)) throw;
  TaskList<Set> all;
  if constexpr (std::is_same_v<Roots, TaskList<Set>>) {
    all.append(*run.roots);
  } else {
    const auto items = run.roots->view();
    for (std::size_t i = 0; i < run.roots->size(); ++i) {
      visit_type<Set>(items.tag(i), [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) all.push(items.template get<T>(i));
      });
    }
  }
  RunProgress progress{.tasks_by_type = std::vector<std::uint64_t>(Set::kTypes),
                       .tasks_left = all.size(),
                       .workers = {}};
  throw FailedRun<Set>(error, std::move(progress), std::move(all));
}

// Allocates what a run needs before its first launch. Throws kOutOfMemory.
template <class Roots>
void prepare_run(GpuQueue& queue, const TaskRun<Roots>& run,
                 std::optional<DeviceLevelsOf<typename Roots::Set>>& levels,
                 RunSurroundings<typename Roots::Set>& given) {
  RunBuffers& buffers = RunBuffers::of(queue);
  buffers.records.begin();
  buffers.has_launched = false;
  begin_joins(queue, buffers, *run.roots, run.participant);
  levels.emplace(buffers.levels);
  given.participant = run.participant;
  if constexpr (std::is_same_v<Roots, TaskList<typename Roots::Set>>) {
    const auto* const arguments = run.roots->arguments();
    if (arguments != nullptr) {
      given.arguments = buffers.upload_arguments(arguments, sizeof(*arguments));
    }
  }
}

// Runs the roots and what they spawn. Without memory to begin, throws UnfinishedRun with the roots
// and their open joins; kOutOfMemory for IndexedTasks, which the caller has.
template <class Roots>
RunReport run_all_levels(GpuQueue& queue, const TaskRun<Roots>& run) {
  using Set = typename Roots::Set;
  std::optional<DeviceLevelsOf<Set>> levels;
  RunSurroundings<Set> given;
  try {
    prepare_run(queue, run, levels, given);
  } catch (const Error& error) {
    if constexpr (std::is_same_v<Roots, TaskList<Set>>) {
      if (error.code() == ErrorCode::kOutOfMemory) {
        throw UnfinishedRun<Set>(error.code(), RunWatchBase::lack_of_memory(error.what()),
                                 {std::vector<std::uint64_t>(Set::kTypes), {}, {}}, *run.roots);
      }
    }
    throw_with_roots(error, run);
  }
  RunReport report;
  [[maybe_unused]] const auto begin = std::chrono::steady_clock::now();
  try {
    run_by_level(*run.roots, run.options, *levels,
                 [&](const auto& roots, const RunOptions& options) {
                   report = run_level(queue, roots, options, *levels, report, given);
                 });
    if constexpr (Set::kHasLevels) report.seconds = seconds_since(begin);
    end_joins<Set>(queue, RunBuffers::of(queue), run.participant);
  } catch (const Error& error) {
    if (RunBuffers::of(queue).has_launched) throw;
    throw_with_roots(error, run);
  }
  return report;
}

template <class Roots>
void run_on_gpu(Queue& queue, TaskRun<Roots> run) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  const auto start = run.caller_waits ? GpuQueue::Start::kAtWait : GpuQueue::Start::kNow;
  const char* const name = to_string(run.options.policy);
  gpu_queue.enqueue(
      [&gpu_queue, run = std::move(run)] {
        try {
          *run.report = run_all_levels(gpu_queue, run);
        } catch (const std::bad_alloc&) {
          throw Error(ErrorCode::kOutOfMemory,
                      "the host's memory ran out in a run; run a part of the roots at a time, or "
                      "set RunOptions::spill_bytes to less");
        }
      },
      start, name);
}

// Makes run_tasks work for a set on this target. Define one object of static storage duration in a
// source that is compiled for the target.
template <class Set>
struct RegisterTasks {
  static_assert(Set::kTypes <= kMaxTypes, "sets that run on GPUs have at most 32 types");

  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add(kBackend, &run_on_gpu<TaskList<Set>>);
    if constexpr (HasIndexedRoots<Set>) {
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add(kBackend, &run_on_gpu<IndexedTasks<Set>>);
    }
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_TASK_TARGET_H_

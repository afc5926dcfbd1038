// SPDX-License-Identifier: Apache-2.0

// Compiles task sets for the null backend (see runtime/tasks/run_tasks.h).
#ifndef MILLRACE_BACKENDS_NULL_TASK_TARGET_H_
#define MILLRACE_BACKENDS_NULL_TASK_TARGET_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/queue/host_queue.h>
#include <millrace/runtime/tasks/context.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/internal/scratch_cursor.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace millrace::null_backend {

inline constexpr char kTarget[] = "null";  // DeviceInfo::target.

// The Context (runtime/tasks/task.h) of tasks with one lane.
template <class Set>
class TaskContext : public OneLaneContext, public RunLevelsOf<Set> {
 public:
  using Wave = std::array<TaskList<Set>, Set::kTypes>;  // A list for each type.

  template <class T>
  void spawn_at(std::uint32_t level, const T& task) {
    if (!may_spawn_) reject("a task spawned; remove its kSpawns = false");
    if (!this->hold(level, task)) spawned_[Set::template tag_of<T>()].push(task);
  }
  template <class T>
  void spawn(const T& task) {
    spawn_at(0, task);
  }
  template <class Make>
  void spawn_many(std::uint32_t count, const Make& make) {
    for (std::uint32_t i = 0; i < count; ++i) spawn(make(i));
  }

  template <class T>
  void arrive(std::uint32_t* counter, const T& successor) {
    if (*counter == 0) reject("an arrival at a counter that is 0; state all predecessors");
    if (--*counter == 0) spawn(successor);
  }

  // An exception takes the code from the first failure to Queue::wait.
  void fail(int code) {
    throw Error(ErrorCode::kTaskFailed, "a task failed with code " + std::to_string(code), code);
  }

  template <class T>
  T* scratch(std::size_t count) {
    return reinterpret_cast<T*>(scratch_.data() + cursor_.place<T>(count, scratch_bytes_));
  }

  // The rest is for WaveRun.
  template <class T>
  void run(const T& task) {
    may_spawn_ = spawns<T>();
    cursor_.reset();
    scratch_bytes_ = scratch_bytes_of<T>();
    task(*this);
    may_spawn_ = true;
  }
  bool has_spawned() const { return !std::ranges::all_of(spawned_, &TaskList<Set>::empty); }
  Wave take_spawned() { return std::exchange(spawned_, {}); }

 private:
  Wave spawned_;
  alignas(std::max_align_t) std::array<std::byte, Set::kScratchBytes> scratch_;
  bool may_spawn_ = true;  // kSpawns of the running task's type, if there is one.
  ScratchCursor cursor_;
  std::size_t scratch_bytes_ = 0;  // kScratchBytes of the running task's type.
};

static_assert(LevelContextFor<TaskContext<TaskSet<ContextProbe>>, ContextProbe>);

// Policy::kKernelPerType on one thread. The other policies run the same way: they may differ in
// the order of tasks, on which no result depends.
template <class Set>
class WaveRun {
 public:
  template <class Roots>
  RunReport run(const Roots& roots, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    report_.policy = options.policy == Policy::kAuto ? Policy::kKernelPerType : options.policy;
    run_by_level(roots, options, context_, [this](const auto& tasks, const auto&) {
      spawn_roots(tasks);
      while (context_.has_spawned()) run_wave(context_.take_spawned());
    });
    if (options.policy == Policy::kPersistentThreads) report_.waves = 0;
    report_.seconds = seconds_since(begin);
    return report_;
  }

 private:
  // Makes the roots the first wave, before any of them runs.
  template <class Roots>
  void spawn_roots(const Roots& roots) {
    const auto items = roots.view();
    for (std::size_t i = 0; i < roots.size(); ++i) {
      bool is_root = items.tag(i) < Set::kTypes;
      visit_type<Set>(items.tag(i), [&]<class T>() {
        is_root = is_root && Roots::template kIsRoot<T>;
        if constexpr (Roots::template kIsRoot<T>) context_.spawn(items.template get<T>(i));
      });
      if (!is_root)
        reject("tag " + std::to_string(i) + " is " + std::to_string(items.tag(i)) +
               "; it must be of a type of the set that can be a root");
    }
  }

  // A GPU would run a kernel for each type.
  void run_wave(const typename TaskContext<Set>::Wave& wave) {
    ++report_.waves;
    for (const TaskTag tag : Set::kByPriority) {
      visit_type<Set>(tag, [&]<class T>() {
        const auto tasks = wave[tag].view();
        for (std::size_t i = 0; i < wave[tag].size(); ++i) context_.run(tasks.template get<T>(i));
        report_.tasks_by_type[tag] += wave[tag].size();
      });
    }
  }

  TaskContext<Set> context_;
  RunReport report_{.tasks_by_type = std::vector<std::uint64_t>(Set::kTypes)};
};

template <class Roots>
void run_on_null(Queue& queue, TaskRun<Roots> run) {
  if (run.options.deadline.count() > 0 || run.options.stop.stop_possible())
    throw Error(ErrorCode::kUnsupported, "null:0 cannot stop runs; leave out deadline and stop");
  const char* const name = to_string(run.options.policy);
  static_cast<HostQueue&>(queue).enqueue(
      [run = std::move(run)] {
        *run.report = WaveRun<typename Roots::Set>().run(*run.roots, run.options);
      },
      HostQueue::Start::kNow, name);
}

// Makes run_tasks work for a set: one object of static storage in a source of the set. Sets that
// open joins are unsupported.
template <class Set>
struct RegisterTasks {
  RegisterTasks() requires(Set::kOpensJoins) {}
  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add(kTarget, &run_on_null<TaskList<Set>>);
    if constexpr (HasIndexedRoots<Set>)
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add(kTarget, &run_on_null<IndexedTasks<Set>>);
  }
};

}  // namespace millrace::null_backend

namespace millrace {
namespace target = null_backend;
}

#endif  // MILLRACE_BACKENDS_NULL_TASK_TARGET_H_

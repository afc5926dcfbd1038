// SPDX-License-Identifier: Apache-2.0

// The Context (runtime/tasks/task.h) of tasks on the CPU: one thread is all the lanes of an item.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_

#include <millrace/backends/cpu/run/add_cache.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/joining_context.h>
#include <millrace/backends/cpu/run/pending_sums.h>
#include <millrace/backends/cpu/run/task_scratch.h>
#include <millrace/backends/cpu/run/worker_state.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/backends/cpu/status/task_errors.h>
#include <millrace/runtime/tasks/context.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace millrace::cpu {

// Properties of the type with this tag. They cost nothing if the tag is a constant.
template <class Set>
constexpr std::size_t scratch_bytes_of(TaskTag tag) {
  std::size_t bytes = 0;
  visit_type<Set>(tag, [&bytes]<class T>() { bytes = millrace::scratch_bytes_of<T>(); });
  return bytes;
}
template <class Set>
constexpr bool spawns(TaskTag tag) {
  bool may = true;
  visit_type<Set>(tag, [&may]<class T>() { may = millrace::spawns<T>(); });
  return may;
}

// The context of a burst of tasks on one thread, until finish(). If the tasks are inlined, its
// members stay in registers, and a sum costs an addition. That requires a trivial destructor,
// constant indices, and no call that gets `this`.
//
// Worker has `WorkerState<Set> state`, `template <class T> void spawn(const T&)`, and for sets that
// open joins
//   void start(JoinRecord<Set>& record)   Makes the continuation of the record a task of the
//                        worker, and gives the record back.
// or the members that JoiningContext needs. Then tasks run in that context.
template <class Set, class Worker>
class TaskContext : public OneLaneContext {
 public:
  TaskContext(Worker& worker, RunStatus& status) : worker_(worker), status_(status) {}
  TaskContext(const TaskContext&) = delete;
  TaskContext& operator=(const TaskContext&) = delete;

  template <Addable T>
  void add(T* target, std::type_identity_t<T> value) {
    sums_.add(worker_.state.adds, target, value);
  }
  template <Addable T>
  void add_together(T* target, std::type_identity_t<T> value) {
    add(target, value);
  }

  const ArgumentsOf<Set>& arguments() const {
    static_assert(HasArguments<Set>, "a set whose tasks read arguments must define Arguments");
    if (worker_.state.arguments == nullptr) reject_arguments();
    return *worker_.state.arguments;
  }

  template <class T>
  void spawn(const T& task) {
    static_assert(Set::template kContains<T>, "the type of a spawned task must be in the set");
    static_assert(Set::kSpawns, "no type of this set may spawn: all have kSpawns = false");
    if (!spawns<Set>(current_tag())) reject_spawn();
    worker_.spawn(task);
  }

  template <class Make>
  void spawn_many(std::uint32_t count, const Make& make) {
    for (std::uint32_t i = 0; i < count; ++i) spawn(make(i));
  }

  template <class T>
  void arrive(std::uint32_t* counter, const T& successor) {
    const std::uint32_t missing = std::atomic_ref(*counter).fetch_sub(1, std::memory_order_acq_rel);
    if (missing == 0) reject_arrival("a counter that is 0");
    if (missing == 1) spawn(successor);
  }

  template <class T>
  void spawn_at(std::uint32_t level, const T& task) {
    static_assert(Set::kHasLevels, "a task type that spawns at levels must state kUsesLevels");
    if (!spawns<Set>(current_tag())) reject_spawn();
    if (!worker_.state.levels.hold(level, task)) worker_.spawn(task);
  }
  std::uint32_t level() const { return worker_.state.levels.level(); }

  template <class T>
  OpenedJoin<T> open_join(std::uint32_t arrivals, const T& continuation) {
    static_assert(Set::template kContains<T>, "the type of a continuation must be in the set");
    if (running_ < kOneJoin) reject_join();
    running_ -= kOneJoin;
    if (arrivals == 0) reject_empty_join();
    return OpenedJoin<T>(worker_.state.joins.open(arrivals, continuation).index);
  }

  void expect(const Join<>& join, std::uint32_t arrivals) {
    worker_.state.joins.expect(join, arrivals);
  }

  void arrive(const Join<>& join) { start(worker_.state.joins.arrive(join)); }
  template <class V>
  void arrive(const Join<V>& join, const std::type_identity_t<V>& value) {
    start(worker_.state.joins.arrive(join, value));
  }

  void fail(int code) {
    failed_ = true;
    status_.fail(current_tag(), code);
  }

  template <class T>
  T* scratch(std::size_t count) {
    return scratch_.template take<T>(worker_.state, count, scratch_bytes_of<Set>(current_tag()));
  }

  template <class T>
  void run(const T& task) {
    if constexpr (kRunsJoiningTasks) {
      JoiningTasks<Set, Worker>::template run<T>(worker_, task);
    } else {
      constexpr TaskTag kTag = Set::template tag_of<T>();
      running_ = kTag + joins_of<T>() * kOneJoin;
      try {
        task(*this);
      } catch (...) {
        failed_ = true;
        status_.fail_with_current_exception(kTag);
      }
      ++tasks_run_[kTag];
      scratch_.release(worker_.state);
    }
  }

  // Returns the type of the task that is running or ran last.
  TaskTag current_tag() const { return static_cast<TaskTag>(running_ % kOneJoin); }

  // Returns true if a task of this burst has called fail() or has thrown.
  bool failed() const {
    if constexpr (kRunsJoiningTasks) return status_.stopped();
    return failed_;
  }

  // Adds sums and counts to those of the worker.
  void finish() {
    scratch_.release(worker_.state);
    PendingSums::flush(worker_.state.adds, sums_);
    put_counts(std::make_index_sequence<Set::kTypes>());
  }

 private:
  template <std::size_t... kIndex>
  void put_counts(std::index_sequence<kIndex...>) {
    ((worker_.state.tasks_run[kIndex] += tasks_run_[kIndex]), ...);
  }

  // The last arrival starts the continuation.
  void start(JoinRecord<Set>* record) {
    if (record == nullptr) return;
    if (!spawns<Set>(current_tag())) reject_spawn();
    worker_.start(*record);
  }

  static constexpr bool kRunsJoiningTasks = Set::kOpensJoins && RunsJoiningTasks<Worker>;
  static constexpr std::uint32_t kOneJoin = 256;

  Worker& worker_;
  RunStatus& status_;
  PendingSums sums_;
  std::array<std::uint64_t, Set::kTypes> tasks_run_{};
  TaskScratch scratch_;
  // The type of the running task, and how many joins it may still open, in units of kOneJoin.
  std::uint32_t running_ = 0;
  bool failed_ = false;
};

namespace internal {

struct ProbeWorker {
  using Set = TaskSet<ContextProbe>;
  WorkerState<Set> state;
  template <class T>
  void spawn(const T&) {}
  void start(JoinRecord<Set>&) {}
};
struct JoiningProbeWorker : ProbeWorker {
  RunStatus* status;
  PendingSums sums;
  bool may_nest() const { return true; }
  bool stopped() const { return false; }
};

}  // namespace internal

static_assert(JoiningContextFor<TaskContext<TaskSet<ContextProbe>, internal::ProbeWorker>,
                                ContextProbe, double>);
static_assert(
    LevelContextFor<TaskContext<TaskSet<ContextProbe>, internal::ProbeWorker>, ContextProbe>);
static_assert(JoiningContextFor<
              JoiningContext<TaskSet<ContextProbe>, internal::JoiningProbeWorker, ContextProbe>,
              ContextProbe, double>);
static_assert(LevelContextFor<
              JoiningContext<TaskSet<ContextProbe>, internal::JoiningProbeWorker, ContextProbe>,
              ContextProbe>);

// Calls `burst(context)`, which runs tasks by TaskContext::run. An exception between two of them
// ends the run, and the next one may be lost.
template <class Set, class Worker, class Burst>
void run_burst(Worker& worker, RunStatus& status, const Burst& burst) {
  TaskContext<Set, Worker> context(worker, status);
  try {
    burst(context);
  } catch (...) {
    status.fail_with_current_exception(context.current_tag(), /*may_keep=*/false);
  }
  context.finish();
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_

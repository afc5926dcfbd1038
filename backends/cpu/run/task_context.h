// SPDX-License-Identifier: Apache-2.0

// The Context (runtime/tasks/task.h) of tasks on the CPU: one thread is all the lanes of an item.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <millrace/backends/cpu/run/add_cache.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/poll_interval.h>
#include <millrace/backends/cpu/run/run_status.h>
#include <millrace/backends/cpu/run/waiting_work.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/context.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/one_lane_context.h>
#include <millrace/runtime/tasks/run_levels.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

namespace millrace::cpu {

// The state that a worker keeps through a run.
template <class Set>
struct WorkerState {
  AddCache adds;
  [[no_unique_address]] JoinPlacesOf<Set> joins;
  [[no_unique_address]] RunLevelsOf<Set> levels;
  std::array<std::uint64_t, Set::kTypes> tasks_run{};

  // Blocks of Set::kScratchBytes, one for each task on the thread's stack that took scratch. There
  // is more than one if a task waits inside a parallel algorithm and its thread runs another task.
  std::vector<std::unique_ptr<std::byte[]>> scratch;
  std::size_t scratch_in_use = 0;

  // Items that this worker was given and had not started when the run was stopped: their number,
  // and the items if the run keeps them. The trace's heartbeat counts batch bodies only; the counts
  // in tasks_run are added to it.
  std::array<std::uint64_t, Set::kTypes> tasks_left{};
  TaskList<Set> unstarted;
  WorkerTrace trace;
  PollInterval poll_interval;

  // Called before the worker's first task.
  void use(WaitingWork<Set>& waiting) {
    joins.use(waiting.joins);
    if constexpr (Set::kHasLevels) levels.current = waiting.levels.current;
  }

  // Called after the worker's last task.
  void give_back(WaitingWork<Set>& waiting) {
    joins.give_back_all();
    waiting.levels.take(levels);
  }

  // Records that the run was stopped while this worker ran `task`.
  template <class T>
  [[gnu::noinline]] void was_running(const T& task) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&task);
    trace.last_task.assign(bytes, bytes + sizeof(T));
    trace.is_running = true;
  }
};

// The work that a stopped run leaves, gathered from its workers.
template <class Set>
struct StoppedWork {
  std::array<std::uint64_t, Set::kTypes> tasks_left{};  // By type.
  TaskList<Set> unstarted;                              // These tasks, if the run keeps them.
  std::vector<WorkerTrace> workers;

  // Moves the worker's part to this object. Called after the worker has ended.
  void add(WorkerState<Set>& state) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      state.trace.heartbeat += state.tasks_run[tag];
      tasks_left[tag] += state.tasks_left[tag];
    }
    workers.push_back(std::move(state.trace));
    const TaskList<Set> mine = std::move(state.unstarted);
    unstarted.append(mine);
  }
};

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

// True if tasks of the worker may run inside their spawners; TaskContext says what that takes.
template <class Worker>
concept CanNest = requires(const Worker& worker) {
  worker.may_nest();
};

// The context of a burst of tasks on one thread, until finish(). If the tasks are inlined, its
// members stay in registers, and a sum costs an addition. That requires a trivial destructor,
// constant indices, and no call that gets `this`.
//
// Worker has `WorkerState<Set> state`, `template <class T> void spawn(const T&)`, and for sets that
// open joins
//   void start(const JoinRecord<Set>& record, std::uint32_t place)   Runs the continuation of the
//                        record at this place some time, and gives the place back.
//   bool may_nest() const            True if a spawned task may run at once, inside the one that
//                        spawns it.
//   void stop_nesting()              Makes it false.
//   bool has_ready() const           True if a continuation that start() was given has not run.
//   void run_ready(Context&, const RunStatus&)   Runs the one that start() was given last, the one
//                        which that starts, and so on, unless the run is stopped.
template <class Set, class Worker>
class TaskContext : public OneLaneContext {
 public:
  TaskContext(Worker& worker, RunStatus& status) : worker_(worker), status_(status) {}
  TaskContext(const TaskContext&) = delete;
  TaskContext& operator=(const TaskContext&) = delete;

  template <Addable T>
  void add(T* target, std::type_identity_t<T> value) {
    using Term = SumType<T>;
    Sum<Term>& sum = std::get<Sum<Term>>(sums_);
    if (sum.target != reinterpret_cast<Term*>(target)) {
      put_sum(worker_.state.adds, sum);
      sum.target = reinterpret_cast<Term*>(target);
      sum.value = Term{};
    }
    sum.value = wrapping_sum(sum.value, static_cast<Term>(value));
  }
  template <Addable T>
  void add_together(T* target, std::type_identity_t<T> value) {
    add(target, value);
  }

  template <class T>
  void spawn(const T& task) {
    static_assert(Set::template kContains<T>, "the type of a spawned task must be in the set");
    static_assert(Set::kSpawns, "no type of this set may spawn: all have kSpawns = false");
    if (!spawns<Set>(current_tag())) reject_spawn();
    if constexpr (kNests) {
      if (worker_.may_nest()) return run_nested(task);
    }
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
    const std::uint32_t place = worker_.state.joins.take();
    JoinRecord<Set>& record = worker_.state.joins[place];
    record.tag = Set::template tag_of<T>();
    record.known_to = worker_.state.joins.token();
    record.continuation.store(continuation);
    record.missing.store(arrivals, std::memory_order_relaxed);
    return OpenedJoin<T>(place);
  }

  void expect(const Join<>& join, std::uint32_t arrivals) {
    if (join.index() == Join<>::kNone) return;
    worker_.state.joins[join.index()].missing.fetch_add(arrivals, std::memory_order_relaxed);
  }

  void arrive(const Join<>& join) {
    if (join.index() != Join<>::kNone) arrive_at(worker_.state.joins[join.index()], join.index());
  }
  template <class V>
  void arrive(const Join<V>& join, const std::type_identity_t<V>& value) {
    static_assert(std::is_trivially_copyable_v<V>, "values are copied as bytes");
    if (join.index() == Join<>::kNone) return;
    JoinRecord<Set>& record = worker_.state.joins[join.index()];
    record.continuation.store_at(join.offset(), value);
    // The value may be, or contain, a handle of another join.
    if constexpr (!std::is_arithmetic_v<V>) {
      if (!worker_.state.joins.knows_alone(record)) worker_.state.joins.let_others_know();
    }
    arrive_at(record, join.index());
  }

  void fail(int code) {
    failed_ = true;
    status_.fail(current_tag(), code);
  }

  template <class T>
  T* scratch(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const std::size_t begin = (scratch_used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    const std::size_t most = scratch_bytes_of<Set>(current_tag());
    if (begin > most || count > (most - begin) / sizeof(T)) {
      reject_scratch(count, sizeof(T), most - scratch_used_);
    }
    scratch_used_ = begin + count * sizeof(T);
    return reinterpret_cast<T*>(scratch_base() + begin);
  }

  template <class T>
  void run(const T& task) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    running_ = kTag + joins_of<T>() * kOneJoin;
    task(*this);
    ++tasks_run_[kTag];
    release_scratch();
  }

  // Returns the type of the task that is running or ran last.
  TaskTag current_tag() const { return static_cast<TaskTag>(running_ % kOneJoin); }

  // Returns true if a task of this burst has called fail().
  bool failed() const { return failed_; }

  // Adds sums and counts to those of the worker.
  void finish() {
    release_scratch();
    put_sums(worker_.state.adds, sums_);
    put_counts(std::make_index_sequence<Set::kTypes>());
  }

 private:
  template <class T>
  struct Sum {
    T* target = nullptr;
    T value{};
  };
  using Sums = std::tuple<Sum<std::int32_t>, Sum<std::uint32_t>, Sum<std::int64_t>,
                          Sum<std::uint64_t>, Sum<float>, Sum<double>>;

  template <std::size_t... kIndex>
  void put_counts(std::index_sequence<kIndex...>) {
    ((worker_.state.tasks_run[kIndex] += tasks_run_[kIndex]), ...);
  }
  // By value, and static: a call that is not inlined must not get `this`.
  static void put_sums(AddCache& adds, Sums sums) {
    std::apply([&adds](const auto&... sum) { (put_sum(adds, sum), ...); }, sums);
  }
  template <class T>
  static void put_sum(AddCache& adds, const Sum<T>& sum) {
    if (sum.target != nullptr) adds.put(sum.target, sum.value);
  }

  [[noreturn, gnu::noinline]] static void reject_scratch(std::size_t count, std::size_t size,
                                                         std::size_t left) {
    throw Error(ErrorCode::kInvalidArgument,
                "a task requested " + std::to_string(count) + " elements of " +
                    std::to_string(size) + " bytes of scratch, but " + std::to_string(left) +
                    " bytes are left; increase its type's kScratchBytes");
  }
  [[noreturn, gnu::noinline]] static void reject_spawn() {
    throw Error(ErrorCode::kInvalidArgument,
                "a task has spawned, but its type says kSpawns = false; remove kSpawns");
  }

  [[noreturn, gnu::noinline]] static void reject_join() {
    throw Error(ErrorCode::kInvalidArgument,
                "a task has opened more joins than its type's kJoins; increase kJoins");
  }
  [[noreturn, gnu::noinline]] static void reject_empty_join() {
    throw Error(ErrorCode::kInvalidArgument,
                "a task has opened a join of 0 arrivals; give it at least 1, or spawn the task");
  }
  [[noreturn, gnu::noinline]] static void reject_arrival(const char* where) {
    throw Error(ErrorCode::kInvalidArgument, std::string("a task has arrived at ") + where +
                                                 "; there are more arrivals than were stated");
  }

  // The last arrival starts the continuation.
  void arrive_at(JoinRecord<Set>& record, std::uint32_t place) {
    if (!spawns<Set>(current_tag())) reject_spawn();
    const std::uint32_t missing = count_down(record);
    if (missing == 0) reject_arrival("a join that has ended");
    if (missing > 1) return;
    worker_.start(record, place);
  }

  // Subtracts an arrival; returns how many were missing before.
  std::uint32_t count_down(JoinRecord<Set>& record) {
    if (!worker_.state.joins.knows_alone(record)) {
      return record.missing.fetch_sub(1, std::memory_order_acq_rel);
    }
    const std::uint32_t missing = record.missing.load(std::memory_order_relaxed);
    record.missing.store(missing - 1, std::memory_order_relaxed);
    return missing;
  }

  // Runs a task that the running one spawns, and the continuations that it starts. It has the task
  // by value and is flattened, so that a small task stays in registers.
  template <class T>
  [[gnu::noinline, gnu::flatten]] void run_nested(T task) {
    const std::uint32_t running = running_;
    try {
      run(task);
      if (status_.stopped()) {
        worker_.stop_nesting();
        worker_.state.was_running(task);
      } else if (worker_.has_ready()) {
        worker_.run_ready(*this, status_);
      }
    } catch (...) {
      status_.fail_with_current_exception(current_tag());
    }
    running_ = running;
  }

  std::byte* scratch_base() {
    if (scratch_ == nullptr) {
      auto& blocks = worker_.state.scratch;
      const std::size_t mine = worker_.state.scratch_in_use++;
      if (mine == blocks.size())
        blocks.push_back(std::make_unique<std::byte[]>(Set::kScratchBytes));
      scratch_ = blocks[mine].get();
    }
    return scratch_;
  }

  void release_scratch() {
    if (Set::kScratchBytes == 0 || scratch_ == nullptr) return;
    --worker_.state.scratch_in_use;
    scratch_ = nullptr;
    scratch_used_ = 0;
  }

  // Tasks that open joins are short: to push and pop one takes longer than to run it. So children
  // run inside their spawners, unless types use scratch, which a worker has for one task at a time.
  static constexpr bool kNests = Set::kOpensJoins && Set::kScratchBytes == 0 && CanNest<Worker>;
  static constexpr std::uint32_t kOneJoin = 256;

  Worker& worker_;
  RunStatus& status_;
  Sums sums_;
  std::array<std::uint64_t, Set::kTypes> tasks_run_{};
  std::size_t scratch_used_ = 0;
  std::byte* scratch_ = nullptr;
  // The type of the running task, and how many joins it may still open, in units of kOneJoin.
  std::uint32_t running_ = 0;
  bool failed_ = false;
};

namespace internal {

struct ProbeWorker {
  WorkerState<TaskSet<ContextProbe>> state;
  template <class T>
  void spawn(const T&) {}
  void start(const JoinRecord<TaskSet<ContextProbe>>&, std::uint32_t) {}
};

}  // namespace internal

static_assert(JoiningContextFor<TaskContext<TaskSet<ContextProbe>, internal::ProbeWorker>,
                                ContextProbe, double>);
static_assert(
    LevelContextFor<TaskContext<TaskSet<ContextProbe>, internal::ProbeWorker>, ContextProbe>);

// Calls `burst(context)`. An exception thrown by a task in it ends the run.
template <class Set, class Worker, class Burst>
void run_burst(Worker& worker, RunStatus& status, const Burst& burst) {
  TaskContext<Set, Worker> context(worker, status);
  try {
    burst(context);
  } catch (...) {
    status.fail_with_current_exception(context.current_tag());
  }
  context.finish();
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_CONTEXT_H_

// SPDX-License-Identifier: Apache-2.0

// Runs the tasks of a persistent worker in sets that open joins.
//
// These tasks are short: pushing and popping one takes longer than running it. A spawned task
// therefore runs inside its spawner, as a call, while the worker lets tasks nest. The call that
// brings the last arrival of a join then runs the continuation from its record. All that a call
// needs is the worker and the task: what is known of the type is constant, and counts are in the
// worker.
#ifndef MILLRACE_BACKENDS_CPU_RUN_JOINING_CONTEXT_H_
#define MILLRACE_BACKENDS_CPU_RUN_JOINING_CONTEXT_H_

#include <millrace/backends/cpu/run/add_cache.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/pending_sums.h>
#include <millrace/backends/cpu/run/task_scratch.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/backends/cpu/status/task_errors.h>
#include <millrace/runtime/tasks/context.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace millrace::cpu {

// True if tasks of the worker run in a JoiningContext, whose comment lists the members it needs.
template <class Worker>
concept RunsJoiningTasks = requires(const Worker& worker) {
  worker.may_nest();
};

// Passes a task to a function that is not inlined. Compilers pass a structure of up to 16 bytes in
// registers, but store it before and afterwards unless its size is a power of two. So it is passed
// as its words.
template <class T>
struct WordwiseCall {
  static constexpr bool kTwo = sizeof(T) > 8 && sizeof(T) <= 16 && sizeof(T) % 4 == 0;
  using Second = std::conditional_t<sizeof(T) == 16, std::uint64_t, std::uint32_t>;

  // Returns call(words...).
  template <class Call>
  static void pass(const T& task, const Call& call) {
    if constexpr (kTwo) {
      std::uint64_t first;
      Second second;
      std::memcpy(&first, &task, 8);
      std::memcpy(&second, reinterpret_cast<const char*>(&task) + 8, sizeof(second));
      call(first, second);
    } else {
      call(task);
    }
  }

  static T task_of(const T& task) { return task; }
  static T task_of(std::uint64_t first, Second second) {
    TaskSlot<TaskSet<T>> task;
    task.store_at(0, first);
    task.store_at(8, second);
    return task.template get<T>();
  }
};

// The functions by which a worker runs tasks of the set.
template <class Set, class Worker>
struct JoiningTasks {
  using Record = JoinRecord<Set>;

  // True if tasks may run inside others. A worker has scratch for one task at a time.
  static constexpr bool kNests = Set::kScratchBytes == 0;

  // Runs a task and the continuations that it starts. A small task is in registers. Throws nothing,
  // so that a task that ends with a spawn jumps here, and takes no stack.
  template <class T>
  static void run(Worker& worker, const T& task) noexcept {
    WordwiseCall<T>::pass(task, [&](auto... words) { run_words<T>(worker, words...); });
  }

  // Pushes a task that does not run inside its spawner.
  template <class T>
  static void push(Worker& worker, const T& task) {
    WordwiseCall<T>::pass(task, [&](auto... words) { push_words<T>(worker, words...); });
  }

  // A handle as one word, because a structure would be passed by way of the stack.
  template <class V>
  static std::uint64_t word_of(const Join<V>& join) {
    return join.index() | std::uint64_t{join.offset()} << 32;
  }
  template <class V>
  static Join<V> join_of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }

  // Makes a continuation a task of the worker that runs later.
  [[gnu::noinline]] static void start_later(Worker& worker, Record& record) noexcept {
    try {
      worker.start(record);
    } catch (...) {
      worker.status->stop_with_current_exception();
    }
  }

  // Arrives at a join that other workers may know, in a task of type T. `join` is the word of a
  // handle for a value of type V. Runs the continuation if it is the last arrival and the worker
  // lets tasks nest.
  template <class T, class V, class... Value>
  [[gnu::noinline]] static void arrive_elsewhere(Worker& worker, std::uint64_t join,
                                                 Value... value) noexcept {
    Record* ready = nullptr;
    try {
      ready = worker.state.joins.arrive(join_of<V>(join), value...);
    } catch (...) {
      worker.status->fail_with_current_exception(Set::template tag_of<T>());
    }
    if (ready == nullptr) return;
    if constexpr (kNests) {
      if (worker.may_nest()) return run_ready(worker, ready);
    }
    start_later(worker, *ready);
  }

  // Fails the run because a task of type T has arrived at a join that has ended.
  template <class T>
  [[gnu::noinline, gnu::cold]] static void fail_arrival(Worker& worker) noexcept {
    try {
      reject_arrival("a join that has ended");
    } catch (...) {
      worker.status->fail_with_current_exception(Set::template tag_of<T>());
    }
  }

 private:
  template <class T, class... Words>
  [[gnu::noinline, gnu::flatten]] static void run_words(Worker& worker, Words... words) noexcept {
    Record* const ready = run_alone(worker, WordwiseCall<T>::task_of(words...));
    if (ready != nullptr) run_ready(worker, ready);
  }
  template <class T, class... Words>
  [[gnu::noinline]] static void push_words(Worker& worker, Words... words) {
    worker.spawn(WordwiseCall<T>::task_of(words...));
  }

  // Runs a task. Returns the record of the continuation that it starts, or null.
  template <class T>
  static Record* run_alone(Worker& worker, const T& task) noexcept;

  // Runs a continuation from its record, without copying it, or makes it run later if there may be
  // types of higher priority. Returns as run_alone().
  template <std::size_t... kTag>
  static Record* run_continuation(Worker& worker, Record& record, std::index_sequence<kTag...>) {
    Record* ready = nullptr;
    const auto runs_as = [&]<class T>() {
      if (record.tag != Set::template tag_of<T>()) return false;
      ready = run_alone(worker, record.continuation.template get<T>());
      worker.state.joins.give_back(record);
      return true;
    };
    const bool has_run = ((Set::is_of_highest_priority(kTag) &&
                           runs_as.template operator()<typename Set::template Type<kTag>>()) ||
                          ...);
    if (!has_run) start_later(worker, record);
    return ready;
  }

  // Runs a continuation, the one that it starts, and so on, unless the run is stopped.
  [[gnu::noinline, gnu::flatten]] static void run_ready(Worker& worker, Record* ready) noexcept {
    do {
      if (worker.stopped()) return start_later(worker, *ready);
      ready = run_continuation(worker, *ready, std::make_index_sequence<Set::kTypes>());
    } while (ready != nullptr);
  }
};

// The context of one task of type T. The worker has, besides the members that TaskContext needs,
//   RunStatus* status     That of the run.
//   PendingSums sums      Flushed after the worker's last task.
//   void start(JoinRecord<Set>& record)   Makes the continuation of the record a task of the
//                         worker, and gives the record back.
//   bool may_nest() const True if a spawned task may run at once, inside the one that spawns it;
//                         false once the run is stopped.
//   bool stopped() const  True once the run is stopped.
template <class Set, class Worker, class T>
class JoiningContext : public OneLaneContext {
 public:
  explicit JoiningContext(Worker& worker) : worker_(worker) {}
  JoiningContext(const JoiningContext&) = delete;
  JoiningContext& operator=(const JoiningContext&) = delete;

  template <Addable V>
  void add(V* target, std::type_identity_t<V> value) {
    worker_.sums.add(worker_.state.adds, target, value);
  }
  template <Addable V>
  void add_together(V* target, std::type_identity_t<V> value) {
    add(target, value);
  }

  const ArgumentsOf<Set>& arguments() const {
    static_assert(HasArguments<Set>, "a set whose tasks read arguments must define Arguments");
    if (worker_.state.arguments == nullptr) reject_arguments();
    return *worker_.state.arguments;
  }

  template <class U>
  void spawn(const U& task) {
    static_assert(Set::template kContains<U>, "the type of a spawned task must be in the set");
    static_assert(Set::kSpawns, "no type of this set may spawn: all have kSpawns = false");
    if constexpr (!spawns<T>()) reject_spawn();
    if constexpr (Tasks::kNests) {
      if (worker_.may_nest()) [[likely]]
        return Tasks::template run<U>(worker_, task);
    }
    Tasks::template push<U>(worker_, task);
  }

  template <class Make>
  void spawn_many(std::uint32_t count, const Make& make) {
    for (std::uint32_t i = 0; i < count; ++i) spawn(make(i));
  }

  template <class U>
  void arrive(std::uint32_t* counter, const U& successor) {
    const std::uint32_t missing = std::atomic_ref(*counter).fetch_sub(1, std::memory_order_acq_rel);
    if (missing == 0) reject_arrival("a counter that is 0");
    if (missing == 1) spawn(successor);
  }

  template <class U>
  void spawn_at(std::uint32_t level, const U& task) {
    static_assert(Set::kHasLevels, "a task type that spawns at levels must state kUsesLevels");
    if constexpr (!spawns<T>()) reject_spawn();
    if (!worker_.state.levels.hold(level, task)) Tasks::template push<U>(worker_, task);
  }
  std::uint32_t level() const { return worker_.state.levels.level(); }

  template <class C>
  OpenedJoin<C> open_join(std::uint32_t arrivals, const C& continuation) {
    static_assert(Set::template kContains<C>, "the type of a continuation must be in the set");
    if (joins_left_ == 0) reject_join();
    --joins_left_;
    if (arrivals == 0) reject_empty_join();
    return OpenedJoin<C>(worker_.state.joins.open(arrivals, continuation).index);
  }

  void expect(const Join<>& join, std::uint32_t arrivals) {
    worker_.state.joins.expect(join, arrivals);
  }

  void arrive(const Join<>& join) { arrive_with(join); }
  template <class V>
  void arrive(const Join<V>& join, const std::type_identity_t<V>& value) {
    static_assert(std::is_trivially_copyable_v<V>, "values are copied as bytes");
    arrive_with(join, value);
  }

  void fail(int code) { worker_.status->fail(Set::template tag_of<T>(), code); }

  template <class V>
  V* scratch(std::size_t count) {
    return scratch_.template take<V>(worker_.state, count, scratch_bytes_of<T>());
  }

  // Called after the task. Returns the record of the continuation that it has started last, or
  // null.
  JoinRecord<Set>* finish() {
    if constexpr (Set::kScratchBytes > 0) scratch_.release(worker_.state);
    return ready_;
  }

 private:
  using Tasks = JoiningTasks<Set, Worker>;

  // Only the short path is inlined, and nothing in it throws, so that a task that ends with an
  // arrival jumps to what is not.
  template <class V, class... Value>
  void arrive_with(const Join<V>& join, const Value&... value) {
    if constexpr (!spawns<T>()) {
      if (join.index() == Join<>::kNone) return;
      reject_spawn();
    }
    JoinRecord<Set>* const record = worker_.state.joins.find_known(join.index());
    if (record == nullptr) [[unlikely]]
      return Tasks::template arrive_elsewhere<T, V>(worker_, Tasks::word_of(join), value...);
    (record->continuation.store_at(join.offset(), value), ...);
    const std::uint32_t missing = record->count_down_alone();
    if (missing > 1) return;
    if (missing == 0) [[unlikely]]
      return Tasks::template fail_arrival<T>(worker_);
    if (ready_ != nullptr) Tasks::start_later(worker_, *ready_);
    ready_ = record;
  }

  Worker& worker_;
  JoinRecord<Set>* ready_ = nullptr;
  std::uint32_t joins_left_ = joins_of<T>();
  TaskScratch scratch_;
};

template <class Set, class Worker>
template <class T>
JoinRecord<Set>* JoiningTasks<Set, Worker>::run_alone(Worker& worker, const T& task) noexcept {
  constexpr TaskTag kTag = Set::template tag_of<T>();
  ++worker.state.tasks_run[kTag];
  JoiningContext<Set, Worker, T> context(worker);
  try {
    task(context);
  } catch (...) {
    worker.status->fail_with_current_exception(kTag);
  }
  return context.finish();
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_JOINING_CONTEXT_H_

// SPDX-License-Identifier: Apache-2.0

// The Context (runtime/tasks/task.h) of tasks on a GPU.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_TASK_CONTEXT_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_TASK_CONTEXT_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/failure_word.h>
#include <millrace/backends/gpu/device/item_lanes.h>
#include <millrace/backends/gpu/device/lane_joins.h>
#include <millrace/backends/gpu/device/lane_stack.h>
#include <millrace/backends/gpu/device/overflow_chunk.h>
#include <millrace/backends/gpu/device/register_sums.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/runtime/tasks/context.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

// Largest task that lanes hold. Larger tasks take too many registers.
inline constexpr std::size_t kMaxHeldBytes = 32;

// True if lanes hold tasks. Waves run none of the tasks that they have spawned, and their stacks
// are no rings.
template <class Set, class Queues>
inline constexpr bool kHoldsTasks =
    Queues::kHaveRings&& Set::kSpawns&& Set::kTypes == 1 &&
    width_of<typename Set::template Type<0>>() == TaskWidth::kLane&& Set::kSlotBytes
                                                      <= kMaxHeldBytes;

// A task that a lane keeps in registers.
//
// If the tasks of a persistent worker are small, of one type and of lane width, each lane holds one
// of the tasks that it spawns for its next step. Only further tasks go to the worker's stack, so a
// step in which every lane spawns one task uses no shared memory.
template <class T>
class HeldTask {
 public:
  MILLRACE_FUNCTION bool is_held() const { return is_held_ != 0; }

  MILLRACE_FUNCTION void hold(const T& task) {
    memcpy(&storage_.task, &task, sizeof(T));
    is_held_ = 1;
  }

  // Returns the held task; is_held() must be true.
  MILLRACE_FUNCTION const T& task() const { return storage_.task; }
  MILLRACE_FUNCTION T take() {
    is_held_ = 0;
    return storage_.task;
  }

 private:
  // Storage without initialization: T need not have a default constructor.
  union Storage {
    MILLRACE_FUNCTION Storage() {}
    T task;
  };

  Storage storage_;
  std::uint32_t is_held_ = 0;  // Boolean; a word takes fewer instructions than a bool.
};

// The state that a lane keeps through a kernel. It stays in registers, because it is small, all its
// functions are inlined, and it holds no pointer into itself or into an object that contains it.
//
// Queues has `const RunMemory& memory() const` and `void publish(const Chunk&) const`, which takes
// tasks that do not fit on a stack.
template <class Set, class Queues>
class LaneContext {
 public:
  using Held = HeldTask<typename Set::template Type<0>>;  // Used if lanes hold tasks.

  MILLRACE_FUNCTION explicit LaneContext(const Queues& queues)
      : queues_(queues), memory_(queues.memory().scratch) {}

  MILLRACE_FUNCTION const Queues& queues() const { return queues_; }
  MILLRACE_FUNCTION Queues& queues() { return queues_; }
  MILLRACE_FUNCTION const WorkerMemory<Set>& memory() const { return memory_; }
  MILLRACE_FUNCTION RegisterSums& sums() { return sums_; }
  MILLRACE_FUNCTION Held& held() { return held_; }

  // A LaneJoins, if the set opens joins.
  MILLRACE_FUNCTION auto& joins() { return joins_; }

  // A LaneStack, if lanes have stacks.
  MILLRACE_FUNCTION auto& stack() { return stack_; }

  // True if lanes hold tasks and this lane has pushed some on a stack since the last
  // forget_pushed().
  MILLRACE_FUNCTION bool has_pushed() const { return has_pushed_; }
  MILLRACE_FUNCTION void forget_pushed() { has_pushed_ = false; }

  template <class T>
  MILLRACE_FUNCTION void spawn(const T& task) {
    if constexpr (kHasLaneStacks<Set, Queues>) {
      stack_.push(queues_, memory_, task);
    } else {
      if constexpr (kHoldsTasks<Set, Queues>) {
        if (!held_.is_held()) return held_.hold(task);
        has_pushed_ = true;
      }
      push_task(queues_, memory_, task);
    }
  }

  // Spawns make(0) to make(count - 1).
  template <class Make>
  MILLRACE_FUNCTION void spawn_many(std::uint32_t count, const Make& make) {
    if constexpr (kHasLaneStacks<Set, Queues>) {
      for (std::uint32_t i = 0; i < count; ++i) stack_.push(queues_, memory_, make(i));
    } else if constexpr (kHoldsTasks<Set, Queues>) {
      if (count == 0) return;
      const bool holds_last = !held_.is_held();
      const std::uint32_t pushed = holds_last ? count - 1 : count;
      if (pushed > 0) {
        push_tasks(queues_, memory_, pushed, make);
        has_pushed_ = true;
      }
      if (holds_last) held_.hold(make(pushed));
    } else {
      push_tasks(queues_, memory_, count, make);
    }
  }

 private:
  Queues queues_;
  WorkerMemory<Set> memory_;
  RegisterSums sums_;
  Held held_;
  std::conditional_t<Set::kOpensJoins, LaneJoins<Set>, NoLaneJoins> joins_;
  std::conditional_t<kHasLaneStacks<Set, Queues>, LaneStack<Set, Queues>, NoLaneStack> stack_;
  bool has_pushed_ = false;
};

// The context argument of a task of type T.
template <class T, class Set, class Queues>
class TaskContext : public ItemLanes<width_of<T>()> {
 public:
  MILLRACE_FUNCTION explicit TaskContext(LaneContext<Set, Queues>& lane) : lane_(lane) {}
  TaskContext(const TaskContext&) = delete;
  TaskContext& operator=(const TaskContext&) = delete;

  using ItemLanes<width_of<T>()>::lane;

  template <class U>
  MILLRACE_FUNCTION void add(U* target, std::type_identity_t<U> value) {
    lane_.sums().add(target, value);
  }
  template <class U>
  MILLRACE_FUNCTION void add_together(U* target, std::type_identity_t<U> value) {
    if constexpr (kWidth == TaskWidth::kLane) {
      add(target, value);
    } else {
      lane_.sums().add_together(target, value);
    }
  }

  MILLRACE_FUNCTION const ArgumentsOf<Set>& arguments() const {
    static_assert(HasArguments<Set>, "a set whose tasks read arguments must define Arguments");
    return *static_cast<const ArgumentsOf<Set>*>(memory().arguments);
  }

  template <class U>
  MILLRACE_FUNCTION void spawn(const U& task) {
    static_assert(Set::template kContains<U>, "the type of a spawned task must be in the set");
    static_assert(spawns<T>(), "this task type may not spawn: it has kSpawns = false");
    lane_.spawn(task);
  }

  template <class Make>
  MILLRACE_FUNCTION void spawn_many(std::uint32_t count, const Make& make) {
    static_assert(Set::template kContains<decltype(make(count))>,
                  "the type of a spawned task must be in the set");
    static_assert(spawns<T>(), "this task type may not spawn: it has kSpawns = false");
    lane_.spawn_many(count, make);
  }

  template <class U>
  MILLRACE_FUNCTION void spawn_at(std::uint32_t level, const U& task) {
    static_assert(Set::kHasLevels, "a task type that spawns at levels must state kUsesLevels");
    static_assert(Set::template kContains<U>, "the type of a spawned task must be in the set");
    static_assert(spawns<T>(), "this task type may not spawn: it has kSpawns = false");
    if (level <= this->level()) {
      lane_.spawn(task);
    } else {
      memory().postponed.template push<Set>(memory().ring, level, task);
    }
  }
  MILLRACE_FUNCTION std::uint32_t level() const { return memory().postponed.level; }

  template <class U>
  MILLRACE_FUNCTION static U fetch_min(U* target, std::type_identity_t<U> value) {
    static_assert(std::is_unsigned_v<U> && (sizeof(U) == 4 || sizeof(U) == 8));
    return atomic_min(target, value);
  }

  template <class U>
  MILLRACE_FUNCTION void arrive(std::uint32_t* counter, const U& successor) {
    const std::uint32_t missing =
        atomic_add<gpu::Scope::kDevice, kArrivalOrder>(counter, ~std::uint32_t{0});
    if (missing == 1) spawn(successor);
    if (missing == 0) fail_with(Failure::kArrival, 0);
  }

  template <class C>
  MILLRACE_FUNCTION OpenedJoin<C> open_join(std::uint32_t arrivals, const C& continuation) {
    static_assert(Set::template kContains<C>, "the type of a continuation must be in the set");
    static_assert(joins_of<T>() > 0, "a task type that opens joins must define kJoins");
    static_assert(joins_of<T>() <= 16, "kJoins is at most 16");
    if (joins_left_ == 0 || lane() != 0 || arrivals == 0 || arrivals > JoinState::kMaxArrivals) {
      fail_with(Failure::kJoin, static_cast<int>(arrivals));
      return OpenedJoin<C>(Join<>::kNone);
    }
    --joins_left_;
    if constexpr (kHasLaneStacks<Set, Queues>) {
      return lane_.stack().open(lane_.queues(), lane_.memory(), lane_.joins(), arrivals,
                                continuation);
    }
    const std::uint32_t record_index = lane_.joins().open();
    std::uint32_t* const record = memory().joins.template record<Set>(record_index);
    JoinContinuation<C>::store(record, continuation);
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
        record + JoinMemory::kTag, std::uint32_t{Set::template tag_of<C>()});
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record, JoinState::open(arrivals));
    return OpenedJoin<C>(memory().joins.template index_of<Set>(record_index));
  }

  MILLRACE_FUNCTION void expect(const Join<>& join, std::uint32_t arrivals) {
    if (join.index() == Join<>::kNone) return;
    if constexpr (kHasLaneStacks<Set, Queues>) {
      return lane_.stack().expect(lane_.queues(), lane_.memory(), join, arrivals);
    }
    if (!memory().joins.template owns<Set>(join.index())) {
      return memory().ring.push_expected(join, arrivals);
    }
    atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record_of(join), arrivals);
  }

  MILLRACE_FUNCTION void arrive(const Join<>& join) {
    static_assert(spawns<T>(), "this task type may not spawn: it has kSpawns = false");
    if (join.index() == Join<>::kNone) return;
    if constexpr (kHasLaneStacks<Set, Queues>) {
      const bool is_open =
          lane_.stack().arrive(lane_.queues(), lane_.memory(), join, Set::template tag_of<T>());
      if (!is_open) fail_with(Failure::kArrival, 1);
      return;
    }
    if (!memory().joins.template owns<Set>(join.index())) return memory().ring.push_arrival(join);
    std::uint32_t* const record = record_of(join);
    const std::uint32_t before =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelease>(record, ~std::uint32_t{0});
    if (before == JoinState::open(1)) {
      // Reads what the other arrivals have released: they are one release sequence.
      atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(record);
      const std::uint32_t tag =
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record + JoinMemory::kTag);
      visit_type<Set>(static_cast<TaskTag>(tag),
                      [&]<class C>() { lane_.spawn(JoinContinuation<C>::load(record)); });
      lane_.joins().end(lane_.memory(), memory().joins, *memory().control,
                        memory().joins.template record_index_of<Set>(join.index()));
    } else if (!JoinState::is_open(before)) {
      fail_with(Failure::kArrival, 1);
    }
  }
  template <class V>
  MILLRACE_FUNCTION void arrive(const Join<V>& join, const std::type_identity_t<V>& value) {
    static_assert(std::is_trivially_copyable_v<V>, "values are copied as bytes");
    if (join.index() == Join<>::kNone) return;
    if constexpr (kHasLaneStacks<Set, Queues>) {
      const bool is_open = lane_.stack().arrive(lane_.queues(), lane_.memory(), join, value,
                                                Set::template tag_of<T>());
      if (!is_open) fail_with(Failure::kArrival, 1);
      return;
    }
    if (!memory().joins.template owns<Set>(join.index())) {
      return memory().ring.push_arrival(join, value);
    }
    store_value(record_of(join) + JoinMemory::kContinuation, join.offset(), value);
    arrive(join.without_value());
  }

  MILLRACE_FUNCTION void fail(int code) { fail_with(Failure::kTask, code); }

  // A request beyond the scratch of the type ends the run and this thread, because there is no
  // memory to return. UnitRunner then ends the worker's other threads.
  template <class U>
  MILLRACE_FUNCTION U* scratch(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<U> && alignof(U) <= 16);
    constexpr std::size_t kBytes = scratch_bytes_of<T>();
    static_assert(kBytes > 0, "a task type that uses scratch must define kScratchBytes");
    const std::size_t begin = (scratch_used_ + alignof(U) - 1) / alignof(U) * alignof(U);
    if (begin > kBytes || count > (kBytes - begin) / sizeof(U)) {
      fail_run(lane_.queues().memory(), Failure::kScratch, Set::template tag_of<T>(),
               static_cast<int>(count * sizeof(U)));
      atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&lane_.memory().worker().has_exited,
                                                             1u);
      exit_thread();
    }
    scratch_used_ = begin + count * sizeof(U);
    return reinterpret_cast<U*>(own_scratch() + begin);
  }

 private:
  static constexpr TaskWidth kWidth = width_of<T>();

  // Relaxed in waves: a successor runs in a later wave, and the barrier between them orders all
  // writes before it. A task that travels may reach another device before that barrier.
  static constexpr gpu::Order kArrivalOrder =
      Queues::kRunInWaves && !Set::kTravels ? gpu::Order::kRelaxed : gpu::Order::kAcquireRelease;

  MILLRACE_FUNCTION char* own_scratch() const {
    const int worker_lane = Worker<Set>::lane();
    const int index = kWidth == TaskWidth::kLane   ? worker_lane
                      : kWidth == TaskWidth::kWarp ? worker_lane / warp_width()
                                                   : 0;
    return lane_.memory().scratch() + index * WorkerLayout<Set>::template task_scratch_bytes<T>();
  }

  MILLRACE_FUNCTION const RunMemory& memory() const { return lane_.queues().memory(); }
  template <class V>
  MILLRACE_FUNCTION std::uint32_t* record_of(const Join<V>& join) const {
    const JoinMemory& joins = memory().joins;
    return joins.template record<Set>(joins.template record_index_of<Set>(join.index()));
  }
  MILLRACE_FUNCTION void fail_with(Failure failure, int code) const {
    fail_run(memory(), failure, Set::template tag_of<T>(), code);
  }

  LaneContext<Set, Queues>& lane_;
  std::uint32_t joins_left_ = joins_of<T>();
  std::size_t scratch_used_ = 0;
};

namespace internal {

struct ProbeQueues {
  static constexpr bool kHaveRings = false;
  static constexpr bool kRunInWaves = true;
  MILLRACE_FUNCTION const RunMemory& memory() const;
  MILLRACE_FUNCTION void publish(const Chunk& chunk) const;
};

}  // namespace internal

static_assert(
    JoiningContextFor<TaskContext<ContextProbe, TaskSet<ContextProbe>, internal::ProbeQueues>,
                      ContextProbe, double>);
static_assert(
    LevelContextFor<TaskContext<ContextProbe, TaskSet<ContextProbe>, internal::ProbeQueues>,
                    ContextProbe>);

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_TASK_CONTEXT_H_

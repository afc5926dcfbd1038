// SPDX-License-Identifier: Apache-2.0

// The stack on which a lane of a persistent worker keeps what it spawns, in shared memory.
//
// A lane runs the newest task of its stack. A join that it opens is on the stack too, below the
// tasks that it spawns afterwards, as the continuation with the number of arrivals that it misses.
// These tasks run before the lane returns to the continuation, so in most cases all have arrived by
// then, and the continuation is the next task. Such a join takes no atomic operation and no device
// memory.
//
// If the stack is full, or another lane needs tasks, a lane moves the oldest slots of it: a task to
// the worker's stacks, and a join to its record in device memory (join_memory.h), where tasks of
// any lane arrive. A task can only arrive at joins that are older than itself, so no task is moved
// before the joins that it knows. The exception are handles of joins in values that others arrive
// with; then all joins are moved together with the first.
//
// A handle has the index of the record, which the join has from the beginning, and the slot on the
// stack. The lane arrives on its stack if the slot has that record.
//
// The last arrival with a small value of a task is done when the tasks of all lanes have returned:
// lanes that run tasks of different types then arrive at the same time.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_LANE_STACK_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_LANE_STACK_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/failure_word.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/device/lane_joins.h>
#include <millrace/backends/gpu/device/lane_slots.h>
#include <millrace/backends/gpu/device/overflow_chunk.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

// True if lanes have stacks. Waves run none of the tasks that they have spawned.
template <class Set, class Queues>
inline constexpr bool kHasLaneStacks = Queues::kHaveRings&& kAllowsLaneStacks<Set>;

// An arrival that a task has requested, with its value. The value has at most 16 bytes, and at most
// a word or half of what the set's largest task has beside the handle of a join: continuations most
// often have two values, and space for larger ones would take registers.
template <class Set>
struct PendingArrival {
  static constexpr std::uint32_t kValueWords =
      kMaxTaskWords<Set> < 4 ? 1 : (kMaxTaskWords<Set> - 2) / 2;
  static constexpr std::uint32_t kMaxWords = kValueWords < 4 ? kValueWords : 4;
  // True for values that it holds. They are at whole words of continuations.
  template <class V>
  static constexpr bool kHolds = sizeof(V) <= 4 * kMaxWords && alignof(V) % 4 == 0;

  std::uint32_t index = Join<>::kNone;  // Index of the join, or kNone if there is no arrival.
  std::uint32_t place;                  // The value's offset, and the join's slot above 16 bits.
  std::uint32_t words;                  // Words of the value.
  std::uint32_t by;                     // Tag of the task.
  std::uint32_t holds_join;             // Nonzero if the value may hold a handle of a join.
  std::uint32_t value[kMaxWords];
};

// Rare paths, with copies as parameters, because references would keep the lane's state in memory.
template <class Set, class Queues>
class LaneStackMoves {
  using Slots = LaneSlots<Set>;

 public:
  // Moves an open join from its slot to its record.
  MILLRACE_COLD_FUNCTION static void move_join(Queues queues, std::uint32_t* slot,
                                               std::uint32_t missing) {
    const std::uint32_t record_index = Slots::word(slot, Slots::kRecord);
    std::uint32_t* const record = queues.memory().joins.template record<Set>(record_index);
    const std::uint32_t tag = SlotState::tag(Slots::word(slot, Slots::kState));
    for (std::uint32_t i = 0; i < Slots::kTaskWords; ++i) {
      record[JoinMemory::kContinuation + i] = Slots::word(slot, i);
    }
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record + JoinMemory::kTag, tag);
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record, JoinState::open(missing));
    Slots::word(slot, Slots::kRecord) = Slots::kNoRecord;
    Slots::word(slot, Slots::kState) = SlotState::kMoved;
    add_opened(1);
  }

  // Moves the contents of a slot. Returns true if it was a task that can run.
  MILLRACE_COLD_FUNCTION static bool move(Queues queues, WorkerMemory<Set> own,
                                          std::uint32_t* slot) {
    const std::uint32_t state = Slots::word(slot, Slots::kState);
    if (state == SlotState::kMoved) return false;
    if (SlotState::missing(state) > 0) {
      move_join(queues, slot, SlotState::missing(state));
      return false;
    }
    visit_type<Set>(static_cast<TaskTag>(SlotState::tag(state)),
                    [&]<class T>() { push_task(queues, own, Slots::template load<T>(slot)); });
    return true;
  }

  // Arrives at a join in device memory. If it was the last arrival, puts the continuation into
  // `slot` and returns true.
  MILLRACE_COLD_FUNCTION static bool arrive(Queues queues, WorkerMemory<Set> own,
                                            std::uint32_t record_index, std::uint32_t* slot,
                                            TaskTag by) {
    const RunMemory& run = queues.memory();
    std::uint32_t* const record = run.joins.template record<Set>(record_index);
    const std::uint32_t before =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelease>(record, ~std::uint32_t{0});
    if (before != JoinState::open(1)) {
      if (!JoinState::is_open(before)) fail_run(run, Failure::kArrival, by, 1);
      return false;
    }
    // Reads what the other arrivals have released: they are one release sequence.
    atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(record);
    const std::uint32_t tag =
        atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(record + JoinMemory::kTag);
    for (std::uint32_t i = 0; i < Slots::kTaskWords; ++i) {
      Slots::word(slot, i) = record[JoinMemory::kContinuation + i];
    }
    Slots::word(slot, Slots::kState) = SlotState::task(tag);
    std::uint32_t& free = Slots::word(slot, Slots::kRecord);
    if (free == Slots::kNoRecord) {
      LaneJoins<Set>::end(run.joins, record_index);
      free = record_index;
    } else {
      LaneJoins<Set>::end_for_worker(own, run.joins, *run.control, record_index);
    }
    add_opened(-1);
    return true;
  }

  // Sends an arrival to the device of the join.
  MILLRACE_COLD_FUNCTION static void send_arrival(SpillRing ring, Join<> join,
                                                  PendingArrival<Set> arrival) {
    ring.push_arrival(join, arrival.value, arrival.words);
  }

 private:
  MILLRACE_FUNCTION static void add_opened(int count) {
    atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
        &WorkerMemory<Set>::block().opened_joins, static_cast<std::uint64_t>(std::int64_t{count}));
  }
};

// A lane's state. It stays in registers.
template <class Set, class Queues>
class LaneStack {
  using Slots = LaneSlots<Set>;
  using Moves = LaneStackMoves<Set, Queues>;

 public:
  MILLRACE_FUNCTION bool is_empty() const { return count_ == 0; }
  MILLRACE_FUNCTION std::uint32_t count() const { return count_; }

  // Called by all lanes before any other member.
  MILLRACE_FUNCTION void clear(const WorkerMemory<Set>& own) const {
    for (std::uint32_t i = 0; i < Slots::kSlots; ++i) {
      Slots::word(own.lane_slot(i), Slots::kRecord) = Slots::kNoRecord;
    }
  }

  MILLRACE_FUNCTION std::uint32_t top_state(const WorkerMemory<Set>& own) const {
    return Slots::word(own.lane_slot(before(end_)), Slots::kState);
  }
  template <class T>
  MILLRACE_FUNCTION T pop(const WorkerMemory<Set>& own) {
    drop();
    return Slots::template load<T>(own.lane_slot(end_));
  }
  template <class T>
  MILLRACE_FUNCTION T newest(const WorkerMemory<Set>& own) const {
    return Slots::template load<T>(own.lane_slot(before(end_)));
  }
  MILLRACE_FUNCTION void drop() {
    end_ = before(end_);
    --count_;
  }

  // Moves the newest slot, an open join whose arrivals come from elsewhere.
  MILLRACE_FUNCTION void move_newest(const Queues& queues, const WorkerMemory<Set>& own) {
    drop();
    std::uint32_t* const slot = own.lane_slot(end_);
    const std::uint32_t state = Slots::word(slot, Slots::kState);
    if (state != SlotState::kMoved) Moves::move_join(queues, slot, SlotState::missing(state));
  }

  // Moves the oldest slot. Returns true if it was a task.
  MILLRACE_FUNCTION bool move_oldest(const Queues& queues, const WorkerMemory<Set>& own) {
    if (leaks_joins_) move_joins(queues, own);
    const std::uint32_t slot = end_ >= count_ ? end_ - count_ : end_ + Slots::kSlots - count_;
    --count_;
    return Moves::move(queues, own, own.lane_slot(slot));
  }

  // Moves the oldest slots until one was a task, but not the newest slot.
  MILLRACE_FUNCTION void move_oldest_task(const Queues& queues, const WorkerMemory<Set>& own) {
    while (count_ > 1) {
      if (move_oldest(queues, own)) return;
    }
  }

  template <class T>
  MILLRACE_FUNCTION void push(const Queues& queues, const WorkerMemory<Set>& own, const T& task) {
    reserve_slot(queues, own);
    std::uint32_t* const slot = own.lane_slot(end_);
    Slots::store(slot, task);
    Slots::word(slot, Slots::kState) = SlotState::task(Set::template tag_of<T>());
    add();
  }

  // Opens a join, with a record that the slot has or one that `free_records` holds.
  template <class C>
  MILLRACE_FUNCTION OpenedJoin<C> open(const Queues& queues, const WorkerMemory<Set>& own,
                                       LaneJoins<Set>& free_records, std::uint32_t arrivals,
                                       const C& continuation) {
    reserve_slot(queues, own);
    std::uint32_t* const slot = own.lane_slot(end_);
    std::uint32_t record_index = Slots::word(slot, Slots::kRecord);
    if (record_index == Slots::kNoRecord) {
      record_index = free_records.take();
      Slots::word(slot, Slots::kRecord) = record_index;
    }
    Slots::store(slot, continuation);
    Slots::word(slot, Slots::kState) = SlotState::join(Set::template tag_of<C>(), arrivals);
    const OpenedJoin<C> join(queues.memory().joins.template index_of<Set>(record_index), end_ + 1);
    if (arrivals > SlotState::kMaxMissing) {
      Moves::move_join(queues, slot, arrivals);
    } else {
      add();
    }
    return join;
  }

  MILLRACE_FUNCTION void expect(const Queues& queues, const WorkerMemory<Set>& own,
                                const Join<>& join, std::uint32_t arrivals) {
    std::uint32_t* const slot = find(queues, own, join);
    if (slot == nullptr) {
      const JoinMemory& joins = queues.memory().joins;
      if (!joins.template owns<Set>(join.index())) {
        return queues.memory().ring.push_expected(join, arrivals);
      }
      const std::uint32_t record_index = joins.template record_index_of<Set>(join.index());
      atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
          joins.template record<Set>(record_index), arrivals);
      return;
    }
    std::uint32_t& state = Slots::word(slot, Slots::kState);
    const std::uint32_t missing = SlotState::missing(state) + arrivals;
    if (arrivals > SlotState::kMaxMissing || missing > SlotState::kMaxMissing) {
      Moves::move_join(queues, slot, missing);
    } else {
      state = SlotState::join(SlotState::tag(state), missing);
    }
  }

  // Returns false if the join had all its arrivals.
  MILLRACE_FUNCTION bool arrive(const Queues& queues, const WorkerMemory<Set>& own,
                                const Join<>& join, TaskTag by) {
    std::uint32_t* const slot = find(queues, own, join);
    if (slot != nullptr) return count_down(slot);
    arrive_elsewhere(queues, own, join, by);
    return true;
  }
  // The same with a value. If a PendingArrival holds it, arrive_pending() does the rest, and fails
  // the run if the join had all its arrivals.
  template <class V>
  MILLRACE_FUNCTION bool arrive(const Queues& queues, const WorkerMemory<Set>& own,
                                const Join<V>& join, const V& value, TaskTag by) {
    if constexpr (PendingArrival<Set>::template kHolds<V>) {
      arrive_pending(queues, own);
      pending_.index = join.index();
      pending_.place = join.offset() | join.slot() << 16;
      pending_.words = sizeof(V) / 4;
      pending_.by = by;
      pending_.holds_join = kMayHoldJoin<V> ? 1 : 0;
      memcpy(pending_.value, &value, sizeof(V));
      return true;
    }
    std::uint32_t* const slot = find(queues, own, join);
    if (slot != nullptr) {
      if constexpr (kMayHoldJoin<V>) leaks_joins_ = 1;
      Slots::store_at(slot, join.offset(), value);
      return count_down(slot);
    }
    if constexpr (kMayHoldJoin<V>) move_joins(queues, own);
    const JoinMemory& joins = queues.memory().joins;
    if (!joins.template owns<Set>(join.index())) {
      queues.memory().ring.push_arrival(join, value);
      return true;
    }
    store_value(joins.template record<Set>(joins.template record_index_of<Set>(join.index())) +
                    JoinMemory::kContinuation,
                join.offset(), value);
    arrive_elsewhere(queues, own, join.without_value(), by);
    return true;
  }

  // Called before a task, so that the compiler knows that no arrival is left to do.
  MILLRACE_FUNCTION void begin_task() { pending_.index = Join<>::kNone; }

  // Does the arrival that is left to do, if there is one.
  MILLRACE_FUNCTION void arrive_pending(const Queues& queues, const WorkerMemory<Set>& own) {
    if (pending_.index == Join<>::kNone) return;
    const Join<> join(pending_.index, pending_.place & 0xffff, pending_.place >> 16);
    pending_.index = Join<>::kNone;
    const auto tag = static_cast<TaskTag>(pending_.by);
    std::uint32_t* const slot = find(queues, own, join);
    if (slot != nullptr) {
      leaks_joins_ |= pending_.holds_join;
      for (std::uint32_t i = 0; i < PendingArrival<Set>::kMaxWords; ++i) {
        if (i < pending_.words) Slots::word(slot, join.offset() / 4 + i) = pending_.value[i];
      }
      if (!count_down(slot)) fail_run(queues.memory(), Failure::kArrival, tag, 1);
      return;
    }
    if (pending_.holds_join != 0) move_joins(queues, own);
    const JoinMemory& joins = queues.memory().joins;
    if (!joins.template owns<Set>(join.index())) {
      return Moves::send_arrival(queues.memory().ring, join, pending_);
    }
    std::uint32_t* const words =
        joins.template record<Set>(joins.template record_index_of<Set>(join.index())) +
        JoinMemory::kContinuation + join.offset() / 4;
    for (std::uint32_t i = 0; i < PendingArrival<Set>::kMaxWords; ++i) {
      if (i < pending_.words) words[i] = pending_.value[i];
    }
    arrive_elsewhere(queues, own, join.without_value(), tag);
  }

  // Takes a record from a slot that holds no join, or returns kNoRecord.
  MILLRACE_FUNCTION std::uint32_t take_unused_record(const WorkerMemory<Set>& own) const {
    std::uint32_t index = end_;
    for (std::uint32_t i = count_; i < Slots::kSlots; ++i) {
      std::uint32_t& record_index = Slots::word(own.lane_slot(index), Slots::kRecord);
      const std::uint32_t found = record_index;
      if (found != Slots::kNoRecord) {
        record_index = Slots::kNoRecord;
        return found;
      }
      index = after(index);
    }
    return Slots::kNoRecord;
  }

 private:
  // True for values that may hold a handle of a join.
  template <class V>
  static constexpr bool kMayHoldJoin = sizeof(V) >= sizeof(Join<>) && !std::is_scalar_v<V>;

  MILLRACE_FUNCTION static std::uint32_t after(std::uint32_t slot) {
    return slot + 1 == Slots::kSlots ? 0 : slot + 1;
  }
  MILLRACE_FUNCTION static std::uint32_t before(std::uint32_t slot) {
    return slot == 0 ? Slots::kSlots - 1 : slot - 1;
  }
  MILLRACE_FUNCTION void add() {
    end_ = after(end_);
    ++count_;
  }
  MILLRACE_FUNCTION void reserve_slot(const Queues& queues, const WorkerMemory<Set>& own) {
    if (count_ == Slots::kSlots) move_oldest(queues, own);
  }

  // Returns the slot of a join on this stack, or null.
  template <class V>
  MILLRACE_FUNCTION static std::uint32_t* find(const Queues& queues, const WorkerMemory<Set>& own,
                                               const Join<V>& join) {
    const std::uint32_t index = join.slot() - 1;
    if (index >= Slots::kSlots) return nullptr;
    std::uint32_t* const slot = own.lane_slot(index);
    const std::uint32_t record_index =
        queues.memory().joins.template record_index_of<Set>(join.index());
    return Slots::word(slot, Slots::kRecord) == record_index ? slot : nullptr;
  }

  MILLRACE_FUNCTION static bool count_down(std::uint32_t* slot) {
    std::uint32_t& state = Slots::word(slot, Slots::kState);
    if (SlotState::missing(state) == 0) return false;
    state -= SlotState::kOneMissing;
    return true;
  }

  MILLRACE_FUNCTION void arrive_elsewhere(const Queues& queues, const WorkerMemory<Set>& own,
                                          const Join<>& join, TaskTag by) {
    const JoinMemory& joins = queues.memory().joins;
    if (!joins.template owns<Set>(join.index())) return queues.memory().ring.push_arrival(join);
    const std::uint32_t record_index = joins.template record_index_of<Set>(join.index());
    reserve_slot(queues, own);
    if (Moves::arrive(queues, own, record_index, own.lane_slot(end_), by)) add();
  }

  // Moves all open joins, but leaves their slots on the stack.
  MILLRACE_FUNCTION void move_joins(const Queues& queues, const WorkerMemory<Set>& own) {
    std::uint32_t index = end_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      index = before(index);
      std::uint32_t* const slot = own.lane_slot(index);
      const std::uint32_t state = Slots::word(slot, Slots::kState);
      if (state == SlotState::kMoved || SlotState::missing(state) == 0) continue;
      Moves::move_join(queues, slot, SlotState::missing(state));
    }
    leaks_joins_ = 0;
  }

  std::uint32_t end_ = 0;    // The slot after the newest.
  std::uint32_t count_ = 0;  // Slots in use.
  // Nonzero if a continuation on this stack may have a handle of a join that is newer than itself.
  std::uint32_t leaks_joins_ = 0;
  PendingArrival<Set> pending_;
};

// Stands for a LaneStack where lanes have none.
struct NoLaneStack {};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_LANE_STACK_H_

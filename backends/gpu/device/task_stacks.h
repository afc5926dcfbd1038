// SPDX-License-Identifier: Apache-2.0

// The stacks of a persistent worker. It runs the newest tasks, and gives the oldest away.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_TASK_STACKS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_TASK_STACKS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/overflow_chunk.h>
#include <millrace/backends/gpu/device/unit_runner.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The tasks that a worker has beyond its next unit: none, enough to share some, or far more.
enum class Surplus { kNone, kSome, kMuch };

// All members are called by all lanes of the worker, while the stacks are at rest: every lane has
// passed a Worker::sync since the last lane spawned.
template <class Set, class Queues>
class TaskStacks {
  using Own = Worker<Set>;
  using Runner = UnitRunner<Set, Queues>;
  template <std::size_t kTag>
  using Type = typename Set::template Type<kTag>;

 public:
  // Sets `surplus` after each unit, to the same value in all lanes.
  MILLRACE_FUNCTION TaskStacks(Runner& runner, Surplus& surplus)
      : runner_(runner),
        memory_(runner.memory()),
        worker_(runner.memory().worker()),
        surplus_(surplus) {}

  // Runs a unit of the first type that has a whole one or, with `partial`, any task. If lanes hold
  // tasks, runs up to `most` units in a row. Returns the number of units run.
  MILLRACE_KERNEL_FUNCTION std::uint32_t run_units(bool partial, std::uint32_t most) {
    if constexpr (Runner::kHolds) {
      return run_held<Type<0>>(partial, most);
    } else if constexpr (Runner::kUsesLaneStacks) {
      return run_lane_stacks(partial);
    } else {
      const std::uint32_t tag = first_type<0>(partial);
      if (tag == Set::kTypes) {
        Own::sync();  // No lane changes a count before all lanes have read it.
        return 0;
      }
      visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() { run_top<T>(); });
      return 1;
    }
  }

  // Called after tasks have spawned. Publishes partly filled overflow chunks, and frees space for
  // the tasks that the next unit spawns.
  MILLRACE_FUNCTION void settle() {
    if constexpr (kHasStacks<Set>) {
      const std::uint32_t full = full_stacks<0>();
      surplus_ = find_surplus();
      // A lane fills a chunk only if it finds a stack full.
      if (full != 0) publish_overflow(runner_.queues(), memory_.overflow());
      Own::sync();
      if (full != 0) {
        make_space<0>(full);
        update_surplus();
      }
    }
  }

  // Publishes some of a surplus for other workers: a chunk of the own list or, if that is empty,
  // the oldest tasks of a stack.
  MILLRACE_FUNCTION void share() {
    const std::uint32_t chunk = worker_.own_chunks;
    if (chunk == kNoChunk) {
      if constexpr (Runner::kUsesLaneStacks) {
        const bool has_shareable = has_tasks<0>();
        Own::sync();  // No lane changes a count before all lanes have read it.
        if (!has_shareable) move_oldest_of_lanes(static_cast<std::uint32_t>(Own::lanes()));
      }
      share_oldest<0>();
    } else {
      Own::sync();
      if (Own::is_leader()) runner_.queues().publish(take_old_chunk());
      Own::sync();
    }
    update_surplus();
  }

  // Loads a chunk from this worker's own list. Returns false if the list is empty or the stack has
  // no space.
  MILLRACE_FUNCTION bool load_own_chunk() {
    const std::uint32_t chunk = worker_.own_chunks;
    if (chunk == kNoChunk) return false;
    const ChunkPool& pool = runner_.queues().memory().pool;
    const Chunk filled = pool.filled(chunk);
    if (!has_space(filled)) return false;
    const std::uint32_t next = pool.next(chunk);
    Own::sync();
    if (Own::is_leader()) {
      worker_.own_chunks = next;
      --worker_.own_chunk_count;
    }
    load(filled);
    return true;
  }

  // Moves a chunk's tasks to their stack, which must have space for them, and frees the chunk.
  MILLRACE_FUNCTION void load(const Chunk& chunk) {
    const ChunkPool& pool = runner_.queues().memory().pool;
    const TaskTag tag = chunk.tag();
    const std::uint32_t count = chunk.count();
    visit_type<Set>(tag, [&]<class T>() {
      const std::uint32_t capacity = memory_.layout().template capacity<T>();
      const std::uint32_t group = memory_.layout().template chunk_capacity<T>();
      const std::uint32_t top = worker_.base[tag] + worker_.count[tag];
      for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
        TaskWords<T>::store(memory_.template stack<T>(), capacity,
                            memory_.layout().template in_ring<T>(top + i),
                            TaskWords<T>::load(pool.words(chunk.id), group, i));
      }
    });
    Own::sync();
    if (Own::is_leader()) {
      worker_.count[tag] += count;
      keep_or_free(chunk.id);
      atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &WorkerMemory<Set>::block().has_no_chunks, 0u);
    }
    Own::sync();
  }

  // Sends a chunk's tasks to the host, and frees the chunk.
  MILLRACE_FUNCTION void spill(const Chunk& chunk) {
    const ChunkPool& pool = runner_.queues().memory().pool;
    visit_type<Set>(chunk.tag(), [&]<class T>() {
      const std::uint32_t group = memory_.layout().template chunk_capacity<T>();
      runner_.template spill<T>(chunk.count(), [&](std::uint32_t i) {
        return TaskWords<T>::load(pool.words(chunk.id), group, i);
      });
    });
    if (Own::is_leader()) pool.free(chunk.id);
    Own::sync();
  }

  // Sends all tasks of this worker to the host.
  MILLRACE_FUNCTION void spill_all() {
    if constexpr (kHasStacks<Set>) {
      runner_.spill_held();
      do {
        spill_stacks<0>();
        if constexpr (Runner::kUsesLaneStacks) spill_lane_stacks();
      } while (load_own_chunk());
    }
  }

 private:
  // Fills up the lanes that have no tasks: from the worker's stacks or, if these are empty, with
  // the oldest tasks of other lanes. Runs tasks if most lanes have some.
  MILLRACE_KERNEL_FUNCTION std::uint32_t run_lane_stacks(bool partial) {
    const auto lanes = static_cast<std::uint32_t>(Own::lanes());
    const std::uint32_t before = lanes_in(ballot(!runner_.stack().is_empty()));
    std::uint32_t busy = fill_lanes();
    runner_.count_quiet_call(/*is_quiet=*/busy == before);
    while (busy < lanes && !partial && ballot(has_surplus()) != 0) {
      move_oldest_of_lanes(lanes - busy);
      busy = fill_lanes();
    }
    if (busy == 0 || (!partial && busy < lanes / 4 * 3)) return 0;
    const std::uint32_t max_idle = lanes / 4;
    const std::uint32_t units =
        runner_.run_lane_stacks(/*least=*/busy > max_idle ? busy - max_idle : 1);
    settle();
    return units;
  }

  // Gives a task of the worker's stacks to each lane that has none. Returns the number of lanes
  // that have some then.
  template <std::size_t kRank = 0>
  MILLRACE_FUNCTION std::uint32_t fill_lanes() {
    using T = Type<Set::kByPriority[kRank]>;
    const bool is_idle = runner_.stack().is_empty();
    const gpu::LaneMask idle = ballot(is_idle);
    const std::uint32_t wanted = lanes_in(idle);
    const std::uint32_t found = worker_.count[Set::template tag_of<T>()];
    const std::uint32_t taken = found < wanted ? found : wanted;
    if (taken > 0) {
      const std::uint32_t rank = lanes_in(idle & lanes_below());
      const T task = take_top<T>(found, taken, rank);
      if (is_idle && rank < taken) runner_.stack().push(runner_.queues(), memory_, task);
    }
    if constexpr (kRank + 1 < Set::kTypes) {
      return fill_lanes<kRank + 1>();
    } else {
      Own::sync();  // No lane changes a count before all lanes have read it.
      return static_cast<std::uint32_t>(Own::lanes()) - wanted + taken;
    }
  }

  // True if another lane should have this lane's oldest task. To move a short task takes longer
  // than to run it; if tasks are short, only those below half a stack of others are moved, which
  // are likely to spawn many. If no lane has run out of tasks for long, the newest may be tasks
  // that spawn themselves until an older one has run (docs/experiments/what_a_join_costs.md).
  MILLRACE_FUNCTION bool has_surplus() const {
    const bool is_patient = runner_.are_tasks_short() && !runner_.is_quiet();
    const std::uint32_t least = is_patient ? LaneSlots<Set>::kSlots / 2 : 2;
    return runner_.stack().count() >= least;
  }

  // Moves the oldest task of up to `most` lanes that have a surplus to the worker's stacks.
  MILLRACE_FUNCTION void move_oldest_of_lanes(std::uint32_t most) {
    const bool has = has_surplus();
    const gpu::LaneMask lanes = ballot(has);
    if (has && lanes_in(lanes & lanes_below()) < most) {
      runner_.stack().move_oldest_task(runner_.queues(), memory_);
    }
    Own::sync();
  }

  MILLRACE_FUNCTION void spill_lane_stacks() {
    while (ballot(!runner_.stack().is_empty()) != 0) {
      bool is_task = false;
      while (!is_task && !runner_.stack().is_empty()) {
        is_task = runner_.stack().move_oldest(runner_.queues(), memory_);
      }
      Own::sync();
      settle();
      spill_stacks<0>();
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION bool has_tasks() const {
    if constexpr (kTag == Set::kTypes) {
      return false;
    } else {
      return worker_.count[kTag] > 0 || has_tasks<kTag + 1>();
    }
  }

  MILLRACE_FUNCTION void update_surplus() {
    surplus_ = find_surplus();
    Own::sync();  // No lane spawns again before all lanes have read the counts.
  }

  MILLRACE_FUNCTION Surplus find_surplus() const {
    if (worker_.own_chunks != kNoChunk || has_half_units<kMuchHalfUnits, 0>()) {
      return Surplus::kMuch;
    }
    if constexpr (Runner::kUsesLaneStacks) {
      constexpr std::uint32_t kSome = 2;
      if (lanes_in(ballot(has_surplus())) >= kSome || has_tasks<0>()) return Surplus::kSome;
    }
    return has_half_units<kSomeHalfUnits, 0>() ? Surplus::kSome : Surplus::kNone;
  }

  // Thresholds in halves of a unit. kSome is one unit to run and half a unit to share; kMuch is far
  // more.
  static constexpr std::uint32_t kSomeHalfUnits = 3;
  static constexpr std::uint32_t kMuchHalfUnits = 8;

  // Returns true if there are at least kHalfUnits halves of a unit of one type, including the tasks
  // that lanes hold.
  template <std::uint32_t kHalfUnits, std::size_t kTag>
  MILLRACE_FUNCTION bool has_half_units() const {
    if constexpr (kTag == Set::kTypes) {
      return false;
    } else {
      return 2 * (worker_.count[kTag] + runner_.held_tasks()) >= kHalfUnits * unit<Type<kTag>>() ||
             has_half_units<kHalfUnits, kTag + 1>();
    }
  }

  template <std::size_t kRank>
  MILLRACE_FUNCTION std::uint32_t first_type(bool partial) const {
    if constexpr (kRank == Set::kTypes) {
      return Set::kTypes;
    } else {
      constexpr std::size_t kTag = Set::kByPriority[kRank];
      const std::uint32_t whole = unit<Type<kTag>>();
      if (worker_.count[kTag] >= (partial ? 1 : whole)) return kTag;
      return first_type<kRank + 1>(partial);
    }
  }

  // Returns the number of tasks taken from a stack at a time.
  template <class T>
  MILLRACE_FUNCTION std::uint32_t unit() const {
    const std::uint32_t all = Own::template unit<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    return all < capacity ? all : capacity;
  }

  template <class T>
  MILLRACE_KERNEL_FUNCTION void run_top() {
    const std::uint32_t found = worker_.count[Set::template tag_of<T>()];
    const std::uint32_t count = found < unit<T>() ? found : unit<T>();
    const T task = take_top<T>(found, count, Runner::template task_index<T>());
    runner_.template run<T>(count, [&task](std::uint32_t) { return task; });
    settle();
  }

  // Runs the tasks that lanes hold, filled up from the stack. The stack is not read if nothing is
  // taken from it or pushed to it.
  template <class T>
  MILLRACE_FUNCTION std::uint32_t run_held(bool partial, std::uint32_t most) {
    const std::uint32_t held = runner_.held_tasks();
    const std::uint32_t missing = unit<T>() - held;
    std::uint32_t taken = 0;
    if (missing > 0) {
      const std::uint32_t found = worker_.count[Set::template tag_of<T>()];
      if (partial ? held + found == 0 : found < missing) {
        Own::sync();  // No lane changes a count before all lanes have read it.
        return 0;
      }
      taken = found < missing ? found : missing;
      fill_held<T>(found, taken);
    }
    const std::uint32_t units = runner_.template run_held<T>(held + taken, most);
    if (taken > 0 || runner_.has_pushed()) settle();
    return units;
  }

  // Gives `taken` of the `found` tasks on the stack to the first lanes that hold none.
  template <class T>
  MILLRACE_FUNCTION void fill_held(std::uint32_t found, std::uint32_t taken) {
    if (taken == 0) return Own::sync();  // No lane spawns before all lanes have read the count.
    const bool is_held = runner_.held().is_held();
    const std::uint32_t rank = Own::lane() - lanes_in(ballot(is_held) & lanes_below());
    const T task = take_top<T>(found, taken, rank);
    if (!is_held && rank < taken) runner_.held().hold(task);
  }

  // Pops `taken` of the `found` tasks on a stack, and returns the one at position `rank` from the
  // top if it is among them.
  template <class T>
  MILLRACE_KERNEL_FUNCTION T take_top(std::uint32_t found, std::uint32_t taken,
                                      std::uint32_t rank) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t below = rank < taken ? rank : 0;
    const T task = TaskWords<T>::load(
        memory_.template stack<T>(), capacity,
        memory_.layout().template in_ring<T>(worker_.base[kTag] + found - 1 - below));
    Own::sync();
    if (Own::is_leader()) worker_.count[kTag] = found - taken;
    Own::sync();
    return task;
  }

  // Returns a bit mask of the types whose stacks are full.
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t full_stacks() const {
    if constexpr (kTag == Set::kTypes) {
      return 0;
    } else {
      const bool is_full = worker_.count[kTag] > memory_.layout().template full_from<Type<kTag>>();
      return (is_full ? 1u << kTag : 0u) | full_stacks<kTag + 1>();
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION void make_space(std::uint32_t full) {
    if constexpr (kTag < Set::kTypes) {
      if ((full >> kTag & 1) != 0) {
        const std::uint32_t capacity = memory_.layout().template capacity<Type<kTag>>();
        if (Own::is_leader() && worker_.count[kTag] > capacity) worker_.count[kTag] = capacity;
        Own::sync();
        while (worker_.count[kTag] > memory_.layout().template full_from<Type<kTag>>()) {
          move_oldest<Type<kTag>>(/*publishes=*/false);
        }
      }
      make_space<kTag + 1>(full);
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION void share_oldest() {
    if constexpr (kTag < Set::kTypes) {
      const std::uint32_t all = worker_.count[kTag] + runner_.held_tasks();
      const std::uint32_t least = Runner::kUsesLaneStacks ? 1 : kSomeHalfUnits * unit<Type<kTag>>();
      if (2 * all < least) return share_oldest<kTag + 1>();
      move_oldest<Type<kTag>>(/*publishes=*/true);
    }
  }

  MILLRACE_FUNCTION bool has_space(const Chunk& chunk) const {
    const TaskTag tag = chunk.tag();
    std::uint32_t capacity = 0;
    visit_type<Set>(tag, [&]<class T>() { capacity = memory_.layout().template capacity<T>(); });
    return worker_.count[tag] + chunk.count() <= capacity;
  }

  // Called by the leader. Takes the oldest chunk of the own list, whose tasks are likely to spawn
  // the most. A long list comes from wide fan-outs, whose chunks are alike: there it takes the
  // newest, which needs no walk.
  MILLRACE_FUNCTION Chunk take_old_chunk() {
    constexpr std::uint32_t kLong = 24;
    const ChunkPool& pool = runner_.queues().memory().pool;
    std::uint32_t chunk = worker_.own_chunks;
    std::uint32_t newer = kNoChunk;
    if (worker_.own_chunk_count <= kLong) {
      for (std::uint32_t older = pool.next(chunk); older != kNoChunk; older = pool.next(chunk)) {
        newer = chunk;
        chunk = older;
      }
    }
    const std::uint32_t rest = pool.next(chunk);
    if (newer == kNoChunk) {
      worker_.own_chunks = rest;
    } else {
      pool.link(pool.filled(newer), rest);
    }
    --worker_.own_chunk_count;
    return pool.filled(chunk);
  }

  // Called by the leader. A worker keeps the chunk that it has emptied for the next tasks that it
  // gives away. This avoids the lists of free chunks, which all workers of a shard update. If
  // chunks are scarce, it frees the chunk.
  MILLRACE_FUNCTION void keep_or_free(std::uint32_t chunk) {
    const ChunkPool& pool = runner_.queues().memory().pool;
    if (worker_.spare_chunk == kNoChunk && pool.has_many()) {
      worker_.spare_chunk = chunk;
    } else {
      pool.free(chunk);
    }
  }
  MILLRACE_FUNCTION std::uint32_t allocate() {
    const std::uint32_t spare = worker_.spare_chunk;
    if (spare == kNoChunk) return runner_.queues().memory().pool.allocate();
    worker_.spare_chunk = kNoChunk;
    return spare;
  }

  // Moves the oldest tasks, up to a chunk and at most half of all, to a chunk. The chunk is
  // published, or put on this worker's own list.
  template <class T>
  MILLRACE_FUNCTION void move_oldest(bool publishes) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const ChunkPool& pool = runner_.queues().memory().pool;
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t group = memory_.layout().template chunk_capacity<T>();
    const std::uint32_t found = worker_.count[kTag];
    const std::uint32_t half = (found + runner_.held_tasks()) / 2;
    const std::uint32_t most = Runner::kUsesLaneStacks && publishes ? found
                               : found < 2                          ? 1
                               : half < found                       ? half
                                                                    : found;
    const std::uint32_t count = most < group ? most : group;
    const auto load = [&](std::uint32_t i) {
      return TaskWords<T>::load(memory_.template stack<T>(), capacity,
                                memory_.layout().template in_ring<T>(worker_.base[kTag] + i));
    };
    std::uint64_t chunk = kNoChunk;
    if (Own::is_leader()) chunk = allocate();
    chunk = Own::broadcast(&worker_.slot, chunk);
    if (chunk == kNoChunk) {
      runner_.template spill<T>(count, load);
    } else {
      for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
        TaskWords<T>::store(pool.words(static_cast<std::uint32_t>(chunk)), group, i, load(i));
      }
    }
    Own::sync();
    if (Own::is_leader()) {
      worker_.base[kTag] = memory_.layout().template in_ring<T>(worker_.base[kTag] + count);
      worker_.count[kTag] = found - count;
      if (chunk != kNoChunk) {
        publish_or_keep(Chunk::make(static_cast<std::uint32_t>(chunk), kTag, count), publishes);
      }
    }
    Own::sync();
  }

  // Called by the leader. Publishes a filled chunk for other workers, or puts it on this worker's
  // own list.
  MILLRACE_FUNCTION void publish_or_keep(const Chunk& filled, bool publishes) {
    if (publishes) {
      runner_.queues().publish(filled);
    } else {
      runner_.queues().memory().pool.link(filled, worker_.own_chunks);
      worker_.own_chunks = filled.id;
      ++worker_.own_chunk_count;
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION void spill_stacks() {
    if constexpr (kTag < Set::kTypes) {
      using T = Type<kTag>;
      const std::uint32_t capacity = memory_.layout().template capacity<T>();
      runner_.template spill<T>(worker_.count[kTag], [&](std::uint32_t i) {
        return TaskWords<T>::load(memory_.template stack<T>(), capacity,
                                  memory_.layout().template in_ring<T>(worker_.base[kTag] + i));
      });
      if (Own::is_leader()) worker_.count[kTag] = 0;
      Own::sync();
      spill_stacks<kTag + 1>();
    }
  }

  Runner& runner_;
  const WorkerMemory<Set>& memory_;
  WorkerShared<Set>& worker_;
  Surplus& surplus_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_TASK_STACKS_H_

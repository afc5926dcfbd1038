// The stacks of a persistent worker: the newest tasks are run, the oldest leave.
#ifndef MILLRACE_BACKENDS_GPU_TASK_STACK_H_
#define MILLRACE_BACKENDS_GPU_TASK_STACK_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/overflow_chunk.h>
#include <millrace/backends/gpu/unit_runner.h>
#include <millrace/backends/gpu/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// All members are called by all lanes of the worker, with the stacks at rest: every lane has passed
// a Worker::sync since one of them spawned.
template <class Set, class Queues>
class TaskStacks {
  using Own = Worker<Set>;
  using Runner = UnitRunner<Set, Queues>;
  template <std::size_t kTag>
  using Type = typename Set::template Type<kTag>;

 public:
  MILLRACE_FUNCTION explicit TaskStacks(Runner& runner)
      : runner_(runner), memory_(runner.memory()), worker_(runner.memory().worker()) {}

  // Runs a unit of the first type of which there is a whole one or, with `partial`, any task; false
  // when there was none.
  MILLRACE_FUNCTION bool run_unit(bool partial) {
    const std::uint32_t tag = first_type<0>(partial);
    if (tag == Set::kTypes) {
      Own::sync();  // All lanes have looked before one of them changes a count.
      return false;
    }
    visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() { run_top<T>(); });
    settle();
    return true;
  }

  // After tasks have spawned: gives partly filled overflow chunks away, and makes room for what the
  // next unit spawns.
  MILLRACE_FUNCTION void settle() {
    if constexpr (kHasStacks<Set>) {
      const std::uint32_t full = full_stacks<0>();
      // Only who finds a stack without any room fills a chunk.
      if (full != 0) release_overflow(runner_.queues(), memory_.overflow());
      Own::sync();
      if (full != 0) make_room<0>(full);
    }
  }

  // Whether there is far more than this worker runs next.
  MILLRACE_FUNCTION bool has_much() const {
    return worker_.own_chunks != kNoChunk || has_units<kMuch>();
  }

  // Lets others have tasks, if there are more than this worker runs next; whether there were.
  MILLRACE_FUNCTION bool share() {
    const std::uint32_t chunk = worker_.own_chunks;
    if (chunk == kNoChunk) return share_oldest<0>();
    Own::sync();
    if (Own::is_leader()) {
      worker_.own_chunks = runner_.queues().memory().pool.linked(chunk);
      runner_.queues().publish(chunk);
    }
    Own::sync();
    return true;
  }

  // Brings a chunk of this worker's list back; false when there is none, or no room.
  MILLRACE_FUNCTION bool load_own_chunk() {
    const std::uint32_t chunk = worker_.own_chunks;
    if (chunk == kNoChunk || !has_room(chunk)) return false;
    Own::sync();
    if (Own::is_leader()) worker_.own_chunks = runner_.queues().memory().pool.linked(chunk);
    load(chunk);
    return true;
  }

  // Moves a chunk's tasks to their stack, which has room for them, and frees the chunk.
  MILLRACE_FUNCTION void load(std::uint32_t chunk) {
    const ChunkPool& pool = runner_.queues().memory().pool;
    const TaskTag tag = pool.tag(chunk);
    const std::uint32_t count = pool.count(chunk);
    visit_type<Set>(tag, [&]<class T>() {
      const std::uint32_t capacity = memory_.layout().template capacity<T>();
      const std::uint32_t group = memory_.layout().template chunk_capacity<T>();
      const std::uint32_t top = worker_.base[tag] + worker_.count[tag];
      for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
        TaskWords<T>::store(memory_.template stack<T>(), capacity,
                            memory_.layout().template in_ring<T>(top + i),
                            TaskWords<T>::load(pool.words(chunk), group, i));
      }
    });
    Own::sync();
    if (Own::is_leader()) {
      worker_.count[tag] += count;
      pool.free(chunk);
      atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &WorkerMemory<Set>::block().has_no_chunks, 0u);
    }
    Own::sync();
  }

  // Sends everything this worker has to the host.
  MILLRACE_FUNCTION void spill_all() {
    if constexpr (kHasStacks<Set>) {
      do {
        spill_stacks<0>();
      } while (load_own_chunk());
    }
  }

 private:
  static constexpr std::uint32_t kMuch = 4;  // Units.

  // Whether there are as many units of one type.
  template <std::uint32_t kUnits, std::size_t kTag = 0>
  MILLRACE_FUNCTION bool has_units() const {
    if constexpr (kTag == Set::kTypes) {
      return false;
    } else {
      return worker_.count[kTag] >= kUnits * unit<Type<kTag>>() || has_units<kUnits, kTag + 1>();
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t first_type(bool partial) const {
    if constexpr (kTag == Set::kTypes) {
      return Set::kTypes;
    } else {
      const std::uint32_t whole = unit<Type<kTag>>();
      if (worker_.count[kTag] >= (partial ? 1 : whole)) return kTag;
      return first_type<kTag + 1>(partial);
    }
  }

  // Tasks taken from a stack at a time.
  template <class T>
  MILLRACE_FUNCTION std::uint32_t unit() const {
    const std::uint32_t all = Own::template unit<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    return all < capacity ? all : capacity;
  }

  template <class T>
  MILLRACE_FUNCTION void run_top() {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t held = worker_.count[kTag];
    const std::uint32_t count = held < unit<T>() ? held : unit<T>();
    const std::uint32_t own = Runner::template place<T>();
    const std::uint32_t below = own < count ? own : 0;
    const T task = TaskWords<T>::load(
        memory_.template stack<T>(), capacity,
        memory_.layout().template in_ring<T>(worker_.base[kTag] + held - 1 - below));
    Own::sync();
    if (Own::is_leader()) worker_.count[kTag] = held - count;
    Own::sync();
    runner_.template run<T>(count, [&task](std::uint32_t) { return task; });
  }

  // Types whose stacks are full, as bits.
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
  MILLRACE_FUNCTION void make_room(std::uint32_t full) {
    if constexpr (kTag < Set::kTypes) {
      if ((full >> kTag & 1) != 0) {
        const std::uint32_t capacity = memory_.layout().template capacity<Type<kTag>>();
        if (Own::is_leader() && worker_.count[kTag] > capacity) worker_.count[kTag] = capacity;
        Own::sync();
        while (worker_.count[kTag] > memory_.layout().template full_from<Type<kTag>>()) {
          move_oldest<Type<kTag>>(/*publishes=*/false);
        }
      }
      make_room<kTag + 1>(full);
    }
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION bool share_oldest() {
    if constexpr (kTag == Set::kTypes) {
      return false;
    } else {
      if (2 * worker_.count[kTag] < 3 * unit<Type<kTag>>()) return share_oldest<kTag + 1>();
      move_oldest<Type<kTag>>(/*publishes=*/true);
      return true;
    }
  }

  MILLRACE_FUNCTION bool has_room(std::uint32_t chunk) const {
    const ChunkPool& pool = runner_.queues().memory().pool;
    const TaskTag tag = pool.tag(chunk);
    std::uint32_t capacity = 0;
    visit_type<Set>(tag, [&]<class T>() { capacity = memory_.layout().template capacity<T>(); });
    return worker_.count[tag] + pool.count(chunk) <= capacity;
  }

  // Moves a chunk's worth of the oldest tasks, at most half of them where tasks are wide, to a
  // chunk: published, or this worker's own.
  template <class T>
  MILLRACE_FUNCTION void move_oldest(bool publishes) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const ChunkPool& pool = runner_.queues().memory().pool;
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t group = memory_.layout().template chunk_capacity<T>();
    const std::uint32_t held = worker_.count[kTag];
    const std::uint32_t most = held < 2 ? 1 : held / 2;
    const std::uint32_t count = most < group ? most : group;
    const auto load = [&](std::uint32_t i) {
      return TaskWords<T>::load(memory_.template stack<T>(), capacity,
                                memory_.layout().template in_ring<T>(worker_.base[kTag] + i));
    };
    std::uint64_t chunk = kNoChunk;
    if (Own::is_leader()) chunk = pool.allocate();
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
      worker_.count[kTag] = held - count;
      if (chunk != kNoChunk) give_away(static_cast<std::uint32_t>(chunk), kTag, count, publishes);
    }
    Own::sync();
  }

  // By the leader.
  MILLRACE_FUNCTION void give_away(std::uint32_t chunk, TaskTag tag, std::uint32_t count,
                                   bool publishes) {
    const ChunkPool& pool = runner_.queues().memory().pool;
    pool.describe(chunk, tag, count);
    if (publishes) {
      runner_.queues().publish(chunk);
    } else {
      pool.link(chunk, worker_.own_chunks);
      worker_.own_chunks = chunk;
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
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_TASK_STACK_H_

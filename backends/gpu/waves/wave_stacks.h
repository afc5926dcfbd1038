// SPDX-License-Identifier: Apache-2.0

// The stacks of a worker that runs waves. They collect the tasks that are spawned for the next
// wave.
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_STACKS_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_STACKS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/wave_counters.h>
#include <millrace/backends/gpu/device/overflow_chunk.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The destination of a worker's spawned tasks: the arrays and the chunks of the next wave.
class WaveQueues {
 public:
  static constexpr bool kHaveRings = false;  // Stacks begin at index 0 of their memory.
  static constexpr bool kRunInWaves = true;  // Tasks run after the wave in which they are spawned.

  MILLRACE_FUNCTION WaveQueues(const RunMemory& memory, const WaveMemory& waves)
      : memory_(memory), waves_(waves) {}

  MILLRACE_FUNCTION const RunMemory& memory() const { return memory_; }
  MILLRACE_FUNCTION void begin_wave(std::uint32_t wave) { next_ = wave + 1; }

  MILLRACE_FUNCTION WaveCounters& counters() const {
    return memory_.control->wave_counters[next_ % kWaveCounters];
  }
  MILLRACE_FUNCTION std::uint32_t* array(TaskTag tag) const {
    return waves_.arrays[next_ % 2][tag];
  }
  // Number of tasks that the array holds.
  MILLRACE_FUNCTION std::uint32_t capacity(TaskTag tag) const {
    return waves_.capacity[next_ % 2][tag];
  }

  MILLRACE_FUNCTION void publish(const Chunk& chunk) const {
    memory_.pool.link(chunk, kNoChunk);
    const std::uint64_t position =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counters().chunks, std::uint64_t{1});
    waves_.chunk_list[next_ % 2][position] = chunk.id;
    auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
    atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.has_chunks, 1u);
  }

 private:
  const RunMemory& memory_;
  const WaveMemory& waves_;
  std::uint32_t next_ = 1;
};

// Members are called by all lanes of the worker, while the stacks are at rest: every lane has
// passed a Worker::sync since the last lane spawned.
template <class Set>
class WaveStacks {
  using Own = Worker<Set>;

 public:
  MILLRACE_FUNCTION WaveStacks(const WaveQueues& queues, const WorkerMemory<Set>& memory)
      : queues_(queues), memory_(memory), worker_(memory.worker()) {}

  // Called once, before the first wave.
  MILLRACE_FUNCTION void start() const {
    if (!Own::is_leader()) return;
    for (std::uint32_t& position : worker_.base) position = kNoPosition;
  }

  // Called after a unit. Frees space on the stacks for the tasks that the next unit spawns.
  MILLRACE_FUNCTION void settle() {
    const std::uint32_t full = full_stacks<0>();
    Own::sync();  // No lane spawns again before all lanes have read the counts.
    if (full != 0) flush_full<0>(full);
  }

  // Moves all tasks to the next wave, whose space is reserved for all workers of the block at once,
  // because the device performs additions to one address one after another. Called by all threads
  // of the block at the end of a wave.
  MILLRACE_FUNCTION void flush_all() {
    sync_block();
    if (thread_index() < warp_width()) reserve_all<0>();
    sync_block();
    write_all<0>();
    publish_overflow(queues_, memory_.overflow());
  }

 private:
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t full_stacks() const {
    if constexpr (kTag == Set::kTypes) {
      return 0;
    } else {
      using T = typename Set::template Type<kTag>;
      const std::uint32_t full_from = memory_.layout().template full_from<T>();
      const bool is_full = worker_.count[kTag] > full_from;
      return (is_full ? 1u << kTag : 0u) | full_stacks<kTag + 1>();
    }
  }
  template <std::size_t kTag>
  MILLRACE_FUNCTION void flush_full(std::uint32_t full) {
    if constexpr (kTag < Set::kTypes) {
      if ((full >> kTag & 1) != 0) flush<typename Set::template Type<kTag>>();
      flush_full<kTag + 1>(full);
    }
  }

  // Returns the number of tasks on a worker's stack.
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t tasks_of(const WorkerShared<Set>& worker) const {
    using T = typename Set::template Type<kTag>;
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    return worker.count[kTag] < capacity ? worker.count[kTag] : capacity;
  }

  // Reserves space for `count` tasks, and returns the position of the first. Called by one lane.
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint64_t reserve(std::uint32_t count) const {
    atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&memory_.block().spawned[kTag], count);
    return atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&queues_.counters().reserved[kTag],
                                                                 static_cast<std::uint64_t>(count));
  }

  // Leaves the positions of all workers' tasks in `base`. Called by the first warp of the block;
  // each lane has a worker.
  template <std::size_t kTag>
  MILLRACE_FUNCTION void reserve_all() const {
    for (int first = 0; first < Own::workers(); first += warp_width()) {
      const bool has_worker = first + lane_index() < Own::workers();
      WorkerShared<Set>& worker = memory_.worker(has_worker ? first + lane_index() : first);
      const std::uint32_t count = has_worker ? tasks_of<kTag>(worker) : 0;
      const std::uint32_t end = inclusive_sum(count);
      const std::uint32_t all = shuffle(end, warp_width() - 1);
      if (all == 0) continue;
      const std::uint64_t begin =
          shuffle(lane_index() == 0 ? reserve<kTag>(all) : std::uint64_t{0}, 0);
      const std::uint64_t position = begin + (end - count);
      if (count > 0 && position < queues_.capacity(kTag)) {
        worker.base[kTag] = static_cast<std::uint32_t>(position);
      }
    }
    if constexpr (kTag + 1 < Set::kTypes) reserve_all<kTag + 1>();
  }

  template <std::size_t kTag>
  MILLRACE_FUNCTION void write_all() {
    if (worker_.count[kTag] > 0) write<typename Set::template Type<kTag>>(worker_.base[kTag]);
    if constexpr (kTag + 1 < Set::kTypes) write_all<kTag + 1>();
  }

  // Moves a stack's tasks to the next wave's array.
  template <class T>
  MILLRACE_FUNCTION void flush() {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    std::uint64_t position = 0;
    if (Own::is_leader()) position = reserve<kTag>(tasks_of<kTag>(worker_));
    write<T>(Own::broadcast(&worker_.slot, position));
  }

  // Writes a stack's tasks to the next wave's array, at this position.
  template <class T>
  MILLRACE_FUNCTION void write(std::uint64_t position) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t count = tasks_of<kTag>(worker_);
    const TaskArray<T> array(queues_.array(kTag));
    for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
      const T task = TaskWords<T>::load(memory_.template stack<T>(), capacity, i);
      if (position + i < queues_.capacity(kTag)) {
        array.store(position + i, task);
      } else {
        overflow<Set>(queues_, memory_.overflow(), task);
      }
    }
    Own::sync();
    if (Own::is_leader()) {
      worker_.count[kTag] = 0;
      worker_.base[kTag] = kNoPosition;
    }
    Own::sync();
  }

  // Beyond every array, so tasks without a position overflow: the array is full, or the block's
  // first warp, which reserves, has exited.
  static constexpr std::uint32_t kNoPosition = ~std::uint32_t{0};

  const WaveQueues& queues_;
  const WorkerMemory<Set>& memory_;
  WorkerShared<Set>& worker_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_STACKS_H_

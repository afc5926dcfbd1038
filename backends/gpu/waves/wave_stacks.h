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
#include <millrace/backends/gpu/waves/wave_barrier.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The destination of a worker's spawned tasks: the arrays and the chunks of the next wave.
class WaveQueues {
 public:
  static constexpr bool kHaveRings = false;  // Stacks begin at index 0 of their memory.

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

// All members are called by all lanes of the worker, while the stacks are at rest: every lane has
// passed a Worker::sync since the last lane spawned.
template <class Set>
class WaveStacks {
  using Own = Worker<Set>;

 public:
  MILLRACE_FUNCTION WaveStacks(const WaveQueues& queues, const WorkerMemory<Set>& memory)
      : queues_(queues), memory_(memory), worker_(memory.worker()) {}

  // Called after a unit. Frees space on the stacks for the tasks that the next unit spawns.
  MILLRACE_FUNCTION void settle() {
    const std::uint32_t full = full_stacks<0>();
    Own::sync();  // No lane spawns again before all lanes have read the counts.
    if (full != 0) flush_full<0>(full);
  }

  // Called at the end of a wave.
  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION void flush_all() {
    if (worker_.count[kTag] > 0) flush<typename Set::template Type<kTag>>();
    if constexpr (kTag + 1 < Set::kTypes) {
      flush_all<kTag + 1>();
    } else {
      publish_overflow(queues_, memory_.overflow());
    }
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

  // Moves a stack's tasks to the next wave's array.
  template <class T>
  MILLRACE_FUNCTION void flush() {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const std::uint32_t capacity = memory_.layout().template capacity<T>();
    const std::uint32_t found = worker_.count[kTag];
    const std::uint32_t count = found < capacity ? found : capacity;
    std::uint64_t position = 0;
    if (Own::is_leader()) {
      position = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
          &queues_.counters().reserved[kTag], static_cast<std::uint64_t>(count));
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&memory_.block().spawned[kTag], count);
    }
    position = Own::broadcast(&worker_.slot, position);
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
    if (Own::is_leader()) worker_.count[kTag] = 0;
    Own::sync();
  }

  const WaveQueues& queues_;
  const WorkerMemory<Set>& memory_;
  WorkerShared<Set>& worker_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_STACKS_H_

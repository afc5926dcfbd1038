// SPDX-License-Identifier: Apache-2.0

// Tasks for which a worker's stack has no room: each lane fills a chunk of its own, and gives it
// away when it is full; where there is no chunk, tasks go to the host.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_OVERFLOW_CHUNK_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_OVERFLOW_CHUNK_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// A lane's chunk, as WorkerMemory keeps it; 0 is none.
struct OverflowChunk {
  std::uint32_t chunk;
  std::uint16_t count;
  TaskTag tag;

  MILLRACE_FUNCTION static OverflowChunk from(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint16_t>(word >> 32),
            static_cast<TaskTag>(word >> 48)};
  }
  MILLRACE_FUNCTION std::uint64_t word() const {
    return chunk | static_cast<std::uint64_t>(count) << 32 | static_cast<std::uint64_t>(tag) << 48;
  }
};

// Gives a lane's chunk away, if it has one. By any lane.
template <class Queues>
MILLRACE_FUNCTION void release_overflow(const Queues& queues, std::uint64_t& word) {
  const OverflowChunk own = OverflowChunk::from(word);
  if (own.chunk == kNoChunk) return;
  queues.publish(Chunk::make(own.chunk, own.tag, own.count));
  word = 0;
}

// Takes `task` into the lane's chunk. A function of its own and not the context's member, which
// would put the context into memory. By any lane.
template <class Set, class Queues, class T>
MILLRACE_FUNCTION void overflow(const Queues& queues, std::uint64_t& word, const T& task) {
  constexpr TaskTag kTag = Set::template tag_of<T>();
  const RunMemory& memory = queues.memory();
  const WorkerLayout<Set> layout(Worker<Set>::lanes(), warp_width());
  OverflowChunk own = OverflowChunk::from(word);
  if (own.chunk != kNoChunk && own.tag != kTag) release_overflow(queues, word);
  std::uint32_t& has_no_chunks = WorkerMemory<Set>::block().has_no_chunks;
  if (word == 0) {
    // A search through all shards that finds nothing takes long.
    const bool may_be_one =
        atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&has_no_chunks) == 0;
    own = {may_be_one ? memory.pool.allocate() : kNoChunk, 0, kTag};
  }
  if (own.chunk == kNoChunk) {
    atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&has_no_chunks, 1u);
    memory.ring.push(kTag, task);
    return;
  }
  const std::uint32_t capacity = layout.template chunk_capacity<T>();
  TaskWords<T>::store(memory.pool.words(own.chunk), capacity, own.count, task);
  ++own.count;
  word = own.word();
  if (own.count == capacity) release_overflow(queues, word);
}

// Puts `task` on its stack, above so many others, or where there is room. By any lane of a worker,
// active in its run.
template <class Set, class Queues, class T>
MILLRACE_FUNCTION void put_above(const Queues& queues, const WorkerMemory<Set>& memory,
                                 std::uint32_t above, const T& task) {
  const std::uint32_t capacity = memory.layout().template capacity<T>();
  if (above < capacity) {
    const std::uint32_t base = memory.worker().base[Set::template tag_of<T>()];
    TaskWords<T>::store(
        memory.template stack<T>(), capacity,
        Queues::kHaveRings ? memory.layout().template in_ring<T>(base + above) : above, task);
  } else {
    overflow<Set>(queues, memory.overflow(), task);
  }
}

template <class Set, class Queues, class T>
MILLRACE_FUNCTION void push_task(const Queues& queues, const WorkerMemory<Set>& memory,
                                 const T& task) {
  const std::uint32_t above = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
      &memory.worker().count[Set::template tag_of<T>()], 1u);
  put_above(queues, memory, above, task);
}

// make(0) to make(count - 1), likewise.
template <class Set, class Queues, class Make>
MILLRACE_FUNCTION void push_tasks(const Queues& queues, const WorkerMemory<Set>& memory,
                                  std::uint32_t count, const Make& make) {
  using T = decltype(make(count));
  const std::uint32_t capacity = memory.layout().template capacity<T>();
  // What is counted for all lanes of a worker stays far below 2^32.
  const std::uint32_t counted = count < capacity ? count : capacity;
  const std::uint32_t above = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
      &memory.worker().count[Set::template tag_of<T>()], counted);
  if (above < capacity && count <= capacity - above) {
    // As a rule. A loop of its own, in which compilers make several tasks side by side.
    const auto in_ring = [&](std::uint32_t place) {
      return Queues::kHaveRings ? memory.layout().template in_ring<T>(place) : place;
    };
    const std::uint32_t begin =
        in_ring(above + (Queues::kHaveRings ? memory.worker().base[Set::template tag_of<T>()] : 0));
    for (std::uint32_t i = 0; i < count; ++i) {
      TaskWords<T>::store(memory.template stack<T>(), capacity, in_ring(begin + i), make(i));
    }
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    put_above(queues, memory, i < counted ? above + i : capacity, make(i));
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_OVERFLOW_CHUNK_H_

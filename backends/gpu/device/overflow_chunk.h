// SPDX-License-Identifier: Apache-2.0

// Tasks that do not fit on a worker's stack. Each lane fills a chunk of its own and publishes it
// when it is full. If no chunk is free, tasks go to the host.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_OVERFLOW_CHUNK_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_OVERFLOW_CHUNK_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A lane's chunk, packed into the word that WorkerMemory keeps; 0 is none.
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

// Publishes a lane's chunk, if it has one. May be called by any lane.
template <class Queues>
MILLRACE_FUNCTION void publish_overflow(const Queues& queues, std::uint64_t& word) {
  const OverflowChunk own = OverflowChunk::from(word);
  if (own.chunk == kNoChunk) return;
  queues.publish(Chunk::make(own.chunk, own.tag, own.count));
  word = 0;
}

// Stores `task` in the lane's chunk. May be called by any lane. This is a free function because as
// a member of the context it would force the context into memory.
template <class Set, class Queues, class T>
MILLRACE_FUNCTION void overflow(const Queues& queues, std::uint64_t& word, const T& task) {
  constexpr TaskTag kTag = Set::template tag_of<T>();
  const RunMemory& memory = queues.memory();
  const WorkerLayout<Set> layout(Worker<Set>::lanes(), warp_width());
  OverflowChunk own = OverflowChunk::from(word);
  if (own.chunk != kNoChunk && own.tag != kTag) publish_overflow(queues, word);
  std::uint32_t& has_no_chunks = WorkerMemory<Set>::block().has_no_chunks;
  if (word == 0) {
    // Avoids a search through all shards that takes long and finds nothing.
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
  if (own.count == capacity) publish_overflow(queues, word);
}

// The same with copies as parameters. Sets that open joins spawn at many points of the code, and
// kernels that inline overflow() at all of them keep the state of lanes in memory.
template <class Set, class Queues, class T>
MILLRACE_COLD_FUNCTION void overflow_out_of_line(Queues queues, std::uint64_t* word, T task) {
  overflow<Set>(queues, *word, task);
}

// Stores `task` on its stack above `above` other tasks or, if the stack is full, in the lane's
// chunk. May be called by any lane of a worker that takes part in the run.
template <class Set, class Queues, class T>
MILLRACE_FUNCTION void put_above(const Queues& queues, const WorkerMemory<Set>& memory,
                                 std::uint32_t above, const T& task) {
  const std::uint32_t capacity = memory.layout().template capacity<T>();
  if (above < capacity) {
    const std::uint32_t base = memory.worker().base[Set::template tag_of<T>()];
    TaskWords<T>::store(
        memory.template stack<T>(), capacity,
        Queues::kHaveRings ? memory.layout().template in_ring<T>(base + above) : above, task);
  } else if constexpr (Set::kOpensJoins) {
    overflow_out_of_line<Set>(queues, &memory.overflow(), task);
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

// Pushes make(0) to make(count - 1) in the same way.
template <class Set, class Queues, class Make>
MILLRACE_FUNCTION void push_tasks(const Queues& queues, const WorkerMemory<Set>& memory,
                                  std::uint32_t count, const Make& make) {
  using T = decltype(make(count));
  const std::uint32_t capacity = memory.layout().template capacity<T>();
  // Bounded by the capacity, so that the sum over all lanes of a worker stays far below 2^32.
  const std::uint32_t counted = count < capacity ? count : capacity;
  const std::uint32_t above = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
      &memory.worker().count[Set::template tag_of<T>()], counted);
  if (above < capacity && count <= capacity - above) {
    // The usual case. A separate loop lets the compiler interleave the construction of several
    // tasks.
    const auto in_ring = [&](std::uint32_t position) {
      return Queues::kHaveRings ? memory.layout().template in_ring<T>(position) : position;
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

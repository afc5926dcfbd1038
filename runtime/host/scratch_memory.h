// SPDX-License-Identifier: Apache-2.0

// Memory that an algorithm works in while its operations are in flight.
//
//   ScratchMemory memory(queue);
//   const QueueGuard guard(queue);  // Declared behind the memory, so it is destroyed before it.
//   auto* const counts = memory.take_array<std::uint32_t>(MemorySpace::kDevice, blocks);
//   enqueue_passes(queue, counts);
//   queue.record().wait();
#ifndef MILLRACE_RUNTIME_HOST_SCRATCH_MEMORY_H_
#define MILLRACE_RUNTIME_HOST_SCRATCH_MEMORY_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace millrace {

// Owns blocks of a device's memory pools and gives all of them back when it is destroyed. It must
// outlive every operation that uses the memory. Not thread-safe.
class ScratchMemory {
 public:
  // Takes from the pools of the queue's device, which it keeps alive.
  explicit ScratchMemory(Queue& queue) : device_(queue.device().shared_from_this()) {}

  // Returns a new block of `bytes`, which is not initialised, or null for 0 bytes. Throws
  // kOutOfMemory.
  void* take(MemorySpace space, std::size_t bytes) {
    buffers_.emplace_back(device_->pool(space), bytes);
    return buffers_.back().data();
  }

  // Returns a block for `count` elements, which are not constructed.
  template <class T>
  T* take_array(MemorySpace space, std::size_t count) {
    return static_cast<T*>(take(space, count * sizeof(T)));
  }

 private:
  std::shared_ptr<Device> device_;
  std::vector<Buffer<std::byte>> buffers_;
};

// Waits for the queue if an exception ends the scope, so that memory declared before the guard
// outlives what is in flight. A scope that ends normally has to wait itself.
class QueueGuard {
 public:
  explicit QueueGuard(Queue& queue) : queue_(queue), exceptions_(std::uncaught_exceptions()) {}
  ~QueueGuard() {
    if (std::uncaught_exceptions() == exceptions_) return;
    try {
      queue_.record().wait();
    } catch (const std::exception&) {
      return;  // A queue that cannot record an event has nothing in flight.
    }
  }
  QueueGuard(const QueueGuard&) = delete;
  QueueGuard& operator=(const QueueGuard&) = delete;

 private:
  Queue& queue_;
  const int exceptions_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_SCRATCH_MEMORY_H_

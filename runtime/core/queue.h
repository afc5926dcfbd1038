// SPDX-License-Identifier: Apache-2.0

// In-order asynchronous work on a Device: a CUDA or HIP stream, a TBB arena, a Kokkos execution
// space instance.
//
//   copy(*queue, input.span(), host.span());      // runtime/core/buffer.h
//   run_tasks(*queue, roots);                     // runtime/tasks/run_tasks.h
//   Event done = queue->record();
//   other->wait_for(done);
//   queue->wait();                                // throws what went wrong
#ifndef MILLRACE_RUNTIME_CORE_QUEUE_H_
#define MILLRACE_RUNTIME_CORE_QUEUE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>

namespace millrace {

// Keeps memory alive while an operation that uses it is in flight; may be empty.
using MemoryOwner = std::shared_ptr<const void>;

// Operations start in the order they were enqueued and each starts after the last has finished.
// When one fails, calls and task runs behind it are skipped, and so are copies and fills, which may
// be done all the same where the device shares the host's memory; events are still reached, and the
// next wait() throws the first error; the queue is usable again after that.
// All members may be called from any thread. The destructor waits and drops errors.
class Queue {
 public:
  virtual ~Queue() = default;

  virtual Device& device() const = 0;

  // Copies bytes between any two memory spaces this device can reach; the ranges must not overlap.
  virtual void copy(void* target, const void* source, std::size_t bytes,
                    MemoryOwner target_owner = {}, MemoryOwner source_owner = {}) = 0;

  // Sets bytes of any memory that copy() reaches. The caller keeps it alive where `owner` is empty.
  virtual void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner = {}) = 0;

  // Calls a host function in order. It must not wait for this queue; what it throws is the
  // queue's error.
  virtual void call(std::function<void()> function) = 0;

  virtual Event record() = 0;

  // Work enqueued after this starts once `event`, of any queue of any backend, is reached.
  virtual void wait_for(const Event& event) = 0;

  // Blocks until everything enqueued is finished; throws the first error since the last wait().
  virtual void wait() = 0;

  // Whether an error that the next wait() will throw is known by now.
  virtual bool has_failed() const = 0;

  // The vendor's stream that work goes to, a cudaStream_t or hipStream_t as a pointer, for a caller
  // that enqueues there itself: after wait(), because part of what is enqueued here may reach the
  // stream later. None on a device without streams.
  virtual std::optional<void*> native_stream() const { return {}; }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_QUEUE_H_

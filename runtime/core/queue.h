// SPDX-License-Identifier: Apache-2.0

// A queue runs asynchronous operations on a Device in order. It is a CUDA or HIP stream, a TBB
// arena or a Kokkos execution space instance.
//
//   copy(*queue, input.span(), host.span());      // runtime/core/buffer.h
//   submit_tasks(*queue, roots);                  // runtime/tasks/run_tasks.h
//   Event done = queue->record();
//   other->wait_for(done);
//   queue->wait();                                // Throws the first error.
#ifndef MILLRACE_RUNTIME_CORE_QUEUE_H_
#define MILLRACE_RUNTIME_CORE_QUEUE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace millrace {

// Keeps memory alive while an operation that uses it is in flight; may be empty.
using MemoryOwner = std::shared_ptr<const void>;

// Operations start in the order in which they were enqueued, each after the one before it has
// finished.
//
// Errors: when an operation fails, the calls and task runs behind it are skipped. Copies and fills
// behind it are skipped too, except that they may still run where the device shares the host's
// memory. Events still become ready. The next wait() throws the first error, and the queue is
// usable again after that.
//
// All members may be called from any thread. The destructor waits and drops errors.
class Queue {
 public:
  virtual ~Queue() = default;

  virtual Device& device() const = 0;

  // Copies bytes between any two memory spaces that this device can reach. The ranges must not
  // overlap. The caller keeps a range alive whose owner is empty.
  virtual void copy(void* target, const void* source, std::size_t bytes,
                    MemoryOwner target_owner = {}, MemoryOwner source_owner = {}) = 0;

  // Sets bytes of any memory that copy() reaches. The caller keeps it alive if `owner` is empty.
  virtual void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner = {}) = 0;

  // Calls a host function in order. The function must not wait for this queue. An exception that it
  // throws becomes the queue's error.
  virtual void call(std::function<void()> function) = 0;

  // Returns an event that is ready once everything enqueued so far has finished.
  virtual Event record() = 0;

  // Delays work that is enqueued after this until `event` is ready. The event may belong to any
  // queue of any backend.
  virtual void wait_for(const Event& event) = 0;

  // Blocks until everything enqueued has finished. Throws the first error since the last wait().
  virtual void wait() = 0;

  // Returns true if an operation has failed and the next wait() will throw its error.
  virtual bool has_failed() const = 0;

  // Returns the vendor's stream, a cudaStream_t or hipStream_t as a pointer, or nothing on a device
  // without streams. A caller that enqueues there itself must call wait() first, because operations
  // enqueued here may reach the stream later.
  virtual std::optional<void*> native_stream() const { return {}; }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_QUEUE_H_

// SPDX-License-Identifier: Apache-2.0

// Memory of a queue's device, and copies to and from it.
#ifndef MILLRACE_ALGORITHMS_H264_DEVICE_MEMORY_H_
#define MILLRACE_ALGORITHMS_H264_DEVICE_MEMORY_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <span>
#include <vector>

namespace millrace::h264 {

// Waits for the queue when it is destroyed. It is declared behind memory of the host that copies
// read or write, so that none is in flight when an exception frees that memory.
class QueueWait {
 public:
  explicit QueueWait(Queue& queue) : queue_(queue) {}
  ~QueueWait() {
    try {
      queue_.wait();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the caller has the run's error.
    }
  }
  QueueWait(const QueueWait&) = delete;
  QueueWait& operator=(const QueueWait&) = delete;

 private:
  Queue& queue_;
};

// The queue must outlive it. Sources of uploads and targets of downloads must live until the queue
// has been waited for.
class DeviceMemory {
 public:
  explicit DeviceMemory(Queue& queue) : queue_(queue) {}

  Queue& queue() { return queue_; }

  // Without values.
  template <class T>
  Buffer<T> make(std::size_t count) {
    return Buffer<T>(queue_.device().shared_from_this(), MemorySpace::kDevice, count);
  }
  template <class T>
  Buffer<T> make_zeros(std::size_t count) {
    Buffer<T> buffer = make<T>(count);
    if (count > 0) fill_bytes(queue_, buffer.span(), std::byte{0});
    return buffer;
  }
  template <class T>
  Buffer<T> upload(std::span<const T> host) {
    Buffer<T> buffer = make<T>(host.size());
    upload(host, buffer, 0);
    return buffer;
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& host) {
    return upload(std::span<const T>(host));
  }
  // Copies to the elements of `buffer` from `offset` on.
  template <class T>
  void upload(std::span<const T> host, Buffer<T>& buffer, std::size_t offset) {
    if (host.empty()) return;
    copy(queue_, buffer.span(offset, host.size()), BufferSpan<const T>(host));
  }
  template <class T>
  void download(const Buffer<T>& buffer, std::size_t offset, std::span<T> host) {
    if (host.empty()) return;
    copy(queue_, BufferSpan<T>(host), buffer.span(offset, host.size()));
  }

 private:
  Queue& queue_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_DEVICE_MEMORY_H_

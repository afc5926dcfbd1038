// SPDX-License-Identifier: Apache-2.0

// Memory of a queue's device, and copies to and from it.
#ifndef MILLRACE_ALGORITHMS_H264_DEVICE_MEMORY_H_
#define MILLRACE_ALGORITHMS_H264_DEVICE_MEMORY_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <span>
#include <vector>

namespace millrace::h264 {

// The queue must outlive it. Sources of uploads and targets of downloads must live until the queue
// has been waited for; a QueueGuard behind them (runtime/host/scratch_memory.h) waits where an
// exception ends their scope.
class DeviceMemory {
 public:
  explicit DeviceMemory(Queue& queue) : queue_(queue) {}

  Queue& queue() { return queue_; }

  // Returns device memory of `count` elements, whose values are not set.
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

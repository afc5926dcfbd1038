// SPDX-License-Identifier: Apache-2.0

// Memory that the host writes, with pointers of the device in it, and that is copied as one piece.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_UPLOADED_MEMORY_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_UPLOADED_MEMORY_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>

namespace millrace::h264 {

class UploadedMemory {
 public:
  UploadedMemory() = default;
  UploadedMemory(Device& device, std::size_t bytes)
      : host_(device.pool(MemorySpace::kPinned), bytes),
        device_(device.pool(MemorySpace::kDevice), bytes) {}

  // Return the array at an offset, where the host writes it and where the device reads it.
  template <class T>
  T* host_of(std::size_t offset) {
    return reinterpret_cast<T*>(host_.data() + offset);
  }
  template <class T>
  T* device_of(std::size_t offset) {
    return reinterpret_cast<T*>(device_.data() + offset);
  }

  // Enqueues the copy.
  void upload(Queue& queue) { copy(queue, device_.span(), host_.span()); }

 private:
  Buffer<std::byte> host_;  // Pinned.
  Buffer<std::byte> device_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_UPLOADED_MEMORY_H_

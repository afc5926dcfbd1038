// SPDX-License-Identifier: Apache-2.0

// Buffers own memory in one space of one Device; spans refer to a part of it.
//
//   Buffer<float> in(device, MemorySpace::kDevice, 1000);
//   Buffer<float> host(device, MemorySpace::kPinned, 100);
//   copy(*queue, in.span(0, 10), host.span(5, 10));   // Copies 10 floats, asynchronously.
//   queue->wait();
//
// Sizes and offsets count elements unless the name says bytes. A buffer or span may be used by one
// thread at a time; different buffers are independent.
#ifndef MILLRACE_RUNTIME_CORE_BUFFER_H_
#define MILLRACE_RUNTIME_CORE_BUFFER_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace millrace {

// A contiguous range of elements. It keeps the memory of its Buffer alive; memory that belongs to
// no Buffer is kept alive by the caller.
template <class T>
class BufferSpan {
 public:
  BufferSpan(T* data, std::size_t size, MemoryOwner owner)
      : data_(data), size_(size), owner_(std::move(owner)) {}

  // Refers to memory that the caller keeps alive until every operation on it has finished.
  explicit BufferSpan(std::span<T> unowned) : data_(unowned.data()), size_(unowned.size()) {}

  // Converts a span of T to a span of const T.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<const U, T>) BufferSpan(const BufferSpan<U>& other)
      : data_(other.data()), size_(other.size()), owner_(other.owner()) {}

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  const MemoryOwner& owner() const { return owner_; }

 private:
  T* data_;
  std::size_t size_;
  MemoryOwner owner_;
};

// An array of trivially copyable elements. It is move-only. The memory is uninitialised and aligned
// to Device::kAlignment. It is freed when the buffer is destroyed and no span of it and no
// operation in flight uses it any more.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // An empty buffer.
  Buffer() = default;

  // Allocates `count` elements from the device. Throws kOutOfMemory with the requested size.
  Buffer(std::shared_ptr<Device> device, MemorySpace space, std::size_t count)
      : space_(space), size_(count) {
    const std::size_t bytes = bytes_of(count);
    void* memory = device->allocate(space, bytes);
    memory_ = std::shared_ptr<T>(static_cast<T*>(memory),
                                 [device = std::move(device), space, bytes](T* data) {
                                   if (data != nullptr) device->deallocate(space, data, bytes);
                                 });
  }

  // Takes `count` elements from the pool and gives them back to it. Throws kOutOfMemory.
  Buffer(std::shared_ptr<MemoryPool> pool, std::size_t count)
      : space_(pool->space()), size_(count) {
    const std::size_t bytes = bytes_of(count);
    void* memory = pool->allocate(bytes);
    memory_ = std::shared_ptr<T>(static_cast<T*>(memory), [pool = std::move(pool), bytes](T* data) {
      pool->deallocate(data, bytes);
    });
  }

  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  MemorySpace space() const { return space_; }

  // Returns the `count` elements from `offset` on. Throws kInvalidArgument if they reach past the
  // end.
  BufferSpan<T> span(std::size_t offset, std::size_t count) {
    check_range(offset, count);
    return {data() + offset, count, memory_};
  }
  BufferSpan<const T> span(std::size_t offset, std::size_t count) const {
    check_range(offset, count);
    return {data() + offset, count, memory_};
  }
  BufferSpan<T> span() { return {data(), size_, memory_}; }
  BufferSpan<const T> span() const { return {data(), size_, memory_}; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
  }

  static std::size_t bytes_of(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw Error(ErrorCode::kOutOfMemory, "a buffer of " + std::to_string(count) +
                                               " elements of " + std::to_string(sizeof(T)) +
                                               " bytes is larger than any memory; allocate less");
    }
    return count * sizeof(T);
  }

  void check_range(std::size_t offset, std::size_t count) const {
    if (offset > size_ || count > size_ - offset) {
      reject("the span of " + std::to_string(count) + " elements from offset " +
             std::to_string(offset) + " is outside the buffer of " + std::to_string(size_) +
             " elements");
    }
  }

  MemorySpace space_ = MemorySpace::kHost;
  std::size_t size_ = 0;
  std::shared_ptr<T> memory_;
};

// Enqueues a copy between spans of equal size, in any memory spaces that the queue's device can
// reach. Returns at once; the queue keeps both buffers alive. Throws kInvalidArgument if the sizes
// differ.
template <class T>
void copy(Queue& queue, BufferSpan<T> target, std::type_identity_t<BufferSpan<const T>> source) {
  if (target.size() != source.size()) {
    reject("the source has " + std::to_string(source.size()) + " elements and the target " +
           std::to_string(target.size()) + "; the sizes must match");
  }
  queue.copy(target.data(), source.data(), target.size_bytes(), target.owner(), source.owner());
}

// Enqueues an operation that sets every byte of the span to `value`. Returns at once.
template <class T>
void fill_bytes(Queue& queue, BufferSpan<T> target, std::byte value) {
  queue.fill(target.data(), value, target.size_bytes(), target.owner());
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_BUFFER_H_

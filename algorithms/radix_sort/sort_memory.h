// SPDX-License-Identifier: Apache-2.0

// Working memory of a sort.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/memory_pool.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::radix_sort {

// Takes memory from the device's pools and frees it when destroyed. Outlives every operation that
// uses the memory.
class SortMemory {
 public:
  explicit SortMemory(Queue& queue) : device_(queue.device().shared_from_this()) {}

  // Returns memory, or null for 0 bytes. Throws kOutOfMemory.
  void* take(MemorySpace space, std::size_t bytes) {
    buffers_.emplace_back(device_->pool(space), bytes);
    return buffers_.back().data();
  }

  template <class T>
  T* take_array(MemorySpace space, std::size_t count) {
    return static_cast<T*>(take(space, count * sizeof(T)));
  }

  Records take_records(RecordSize size, std::size_t count) {
    void* const keys = take(MemorySpace::kDevice, size.key * count);
    return {keys, take(MemorySpace::kDevice, size.value * count)};
  }

 private:
  std::shared_ptr<Device> device_;
  std::vector<Buffer<std::byte>> buffers_;
};

// Waits for a queue if an exception leaves the scope. A scope that ends normally has waited itself.
class QueueGuard {
 public:
  explicit QueueGuard(Queue& queue) : queue_(queue), exceptions_(std::uncaught_exceptions()) {}
  ~QueueGuard() {
    if (std::uncaught_exceptions() == exceptions_) return;
    try {
      queue_.record().wait();
    } catch (const std::exception&) {
      return;  // A queue that cannot even record runs nothing.
    }
  }
  QueueGuard(const QueueGuard&) = delete;
  QueueGuard& operator=(const QueueGuard&) = delete;

 private:
  Queue& queue_;
  const int exceptions_;
};

// Returns the records from `index` on.
inline Records advance(const Records& records, RecordSize size, std::size_t index) {
  return {static_cast<char*>(records.keys) + size.key * index,
          records.values == nullptr ? nullptr
                                    : static_cast<char*>(records.values) + size.value * index};
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_

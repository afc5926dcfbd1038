// SPDX-License-Identifier: Apache-2.0

// The memory of the simulated devices: blocks of the ordinary heap, counted, of exactly the size
// asked for.
#ifndef MILLRACE_BACKENDS_SIMT_HOST_DEVICE_MEMORY_H_
#define MILLRACE_BACKENDS_SIMT_HOST_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <millrace/runtime/core/memory_space.h>

namespace millrace::simt {

// May be used by any thread.
class DeviceMemory {
 public:
  // The process's one.
  static DeviceMemory& get();

  // Memory of `device`, of which it has `capacity` bytes in all; null when there is no room.
  void* allocate(int device, std::size_t bytes, std::size_t capacity);

  // Pinned host memory; null when there is no room.
  void* allocate_pinned(std::size_t bytes);

  // Null is nothing.
  void free(void* memory) noexcept;

  std::size_t used(int device) const;

  // Blocks taken so far, of any kind.
  std::uint64_t allocations() const;

  // Whether that range is all in one block of device or pinned memory.
  bool holds(const void* data, std::size_t bytes) const;

  // kHost for what is in no block.
  MemorySpace space_of(const void* data) const;

 private:
  struct Block {
    int device;  // kPinned: none.
    std::size_t bytes;
  };
  static constexpr int kPinned = -1;

  void* allocate_locked(int device, std::size_t bytes);

  // The block that all of that range is in, or null.
  const Block* find_locked(const void* data, std::size_t bytes) const;

  mutable std::mutex mutex_;
  std::map<const char*, Block> blocks_;
  std::uint64_t allocations_ = 0;
  std::vector<std::size_t> used_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_HOST_DEVICE_MEMORY_H_

// SPDX-License-Identifier: Apache-2.0

// A pool keeps freed blocks of one memory space of one Device for reuse, because allocating and
// pinning take milliseconds, and freeing waits for the device.
//
//   const std::shared_ptr<MemoryPool> pool = device->pool(MemorySpace::kPinned);
//   { Buffer<float> staging(pool, 1 << 20); }   // Its destructor gives the block to the pool.
//   pool->trim(0);                              // Gives unused blocks to the system.
#ifndef MILLRACE_RUNTIME_CORE_INTERNAL_MEMORY_POOL_H_
#define MILLRACE_RUNTIME_CORE_INTERNAL_MEMORY_POOL_H_

#include <millrace/runtime/core/memory_space.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace millrace {

class Device;

// Shared by all users of the device. All members may be called from any thread.
//
// There are eight block sizes an octave, so a block is at most an eighth, and at most 32 MiB,
// larger than requested. The block freed last is reused first, at once and in any queue. So, as
// with Device::deallocate, no operation in flight may use memory that is deallocated; Buffer and
// its spans ensure this.
class MemoryPool {
 public:
  struct Statistics {
    std::size_t bytes_in_use = 0;   // Bytes of blocks that are allocated.
    std::size_t bytes_held = 0;     // Bytes of all blocks, allocated and unused.
    std::size_t peak_bytes = 0;     // Maximum of bytes_in_use so far.
    std::uint64_t allocations = 0;  // Number of calls of allocate() that returned a block.
    std::uint64_t reuses = 0;       // Number of these that returned an unused block.
  };

  // Called by Device::pool, which is how users get a pool.
  MemoryPool(Device& device, MemorySpace space) : device_(device), space_(space) {}
  ~MemoryPool() { trim(0); }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  MemorySpace space() const { return space_; }

  // Returns at least `bytes` bytes with the guarantees and errors of Device::allocate. Prefer
  // Buffer, which owns its memory.
  void* allocate(std::size_t bytes);

  // Gives back a block that allocate() returned for the same number of bytes; null is ignored.
  void deallocate(void* data, std::size_t bytes) noexcept;

  // Frees unused blocks, largest first, until the pool holds at most `keep_bytes` or has none left.
  // Returns the number of bytes freed.
  std::size_t trim(std::size_t keep_bytes) noexcept;

  Statistics statistics() const;

 private:
  // The blocks of one size.
  struct Blocks {
    std::vector<void*> unused;  // Has the capacity for all blocks of this size.
    std::size_t count = 0;      // Number of blocks of this size, allocated and unused.
  };

  void* take_unused(std::size_t block_bytes);
  void count_taken(std::size_t block_bytes);
  void reserve_unused(std::size_t block_bytes);

  Device& device_;
  const MemorySpace space_;
  mutable std::mutex mutex_;
  std::map<std::size_t, Blocks> blocks_;  // The key is the block size in bytes.
  Statistics statistics_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_INTERNAL_MEMORY_POOL_H_

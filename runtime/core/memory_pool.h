// SPDX-License-Identifier: Apache-2.0

// Memory of one space of one Device that is given back and taken again instead of freed: allocating
// and pinning cost milliseconds, and freeing waits for the device.
//
//   const std::shared_ptr<MemoryPool> pool = device->pool(MemorySpace::kPinned);
//   Buffer<float> staging(pool, 1 << 20);   // runtime/core/buffer.h; back in the pool when it goes
//   pool->trim(0);                          // to the system
#ifndef MILLRACE_RUNTIME_CORE_MEMORY_POOL_H_
#define MILLRACE_RUNTIME_CORE_MEMORY_POOL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <millrace/runtime/core/memory_space.h>

namespace millrace {

class Device;

// Shared by all who use the device. All members may be called from any thread.
//
// Blocks have a few sizes an octave, at most an eighth and 32 MiB larger than what is asked for. A
// block that is given back is the next one taken, at once, in any queue: like Device::deallocate,
// deallocate is for memory that nothing in flight uses any more, which Buffer and its spans see to.
class MemoryPool {
 public:
  struct Statistics {
    std::size_t bytes_in_use = 0;   // Of blocks taken and not given back.
    std::size_t bytes_held = 0;     // Of these and the unused ones: what the device has given.
    std::size_t peak_bytes = 0;     // The most that were in use at once.
    std::uint64_t allocations = 0;  // Blocks taken in all,
    std::uint64_t reuses = 0;       // of which the device was not asked for.
  };

  // Taken from the device by Device::pool.
  MemoryPool(Device& device, MemorySpace space) : device_(device), space_(space) {}
  ~MemoryPool() { trim(0); }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  MemorySpace space() const { return space_; }

  // As Device::allocate of at least that size. Buffer is the owner to use.
  void* allocate(std::size_t bytes);
  void deallocate(void* data, std::size_t bytes) noexcept;

  // Gives unused blocks to the device, largest first, until the pool holds `keep_bytes` or has
  // none. Returns the bytes given.
  std::size_t trim(std::size_t keep_bytes) noexcept;

  Statistics statistics() const;

 private:
  // The blocks of one size.
  struct Blocks {
    std::vector<void*> unused;  // Has room for all there are.
    std::size_t count = 0;
  };

  void* take_unused(std::size_t block_bytes);
  void count_taken(std::size_t block_bytes);
  void make_room(std::size_t block_bytes);

  Device& device_;
  const MemorySpace space_;
  mutable std::mutex mutex_;
  std::map<std::size_t, Blocks> blocks_;  // By size.
  Statistics statistics_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_MEMORY_POOL_H_

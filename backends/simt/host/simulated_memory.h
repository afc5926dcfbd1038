// SPDX-License-Identifier: Apache-2.0

// The memory of the simulated devices: blocks of the ordinary heap of exactly the requested size,
// which are counted.
#ifndef MILLRACE_BACKENDS_SIMT_HOST_SIMULATED_MEMORY_H_
#define MILLRACE_BACKENDS_SIMT_HOST_SIMULATED_MEMORY_H_

#include <millrace/runtime/core/memory_space.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

namespace millrace::simt {

// May be used by any thread.
class SimulatedMemory {
 public:
  // Returns the instance of the process.
  static SimulatedMemory& get();

  // Allocates memory of `device`, which has `capacity` bytes in total. Returns null if memory is
  // short.
  void* allocate(int device, std::size_t bytes, std::size_t capacity);

  // Allocates pinned host memory. Returns null if memory is short, or more than limit_pinned()
  // allows would be in use.
  void* allocate_pinned(std::size_t bytes);

  // Sets how many bytes of pinned memory may be in use. Initially there is no limit.
  void limit_pinned(std::size_t bytes);

  // Does nothing for null.
  void free(void* memory) noexcept;

  std::size_t used(int device) const;
  std::size_t used_pinned() const;

  // Number of allocations so far, of any kind.
  std::uint64_t allocations() const;

  // Returns true if the whole range is in one block of device or pinned memory.
  bool holds(const void* data, std::size_t bytes) const;

  // Returns kHost if the address is in no block.
  MemorySpace space_of(const void* data) const;

 private:
  struct Block {
    int device;  // kPinned if the block belongs to no device.
    std::size_t bytes;
  };
  static constexpr int kPinned = -1;

  void* allocate_locked(int device, std::size_t bytes);

  // Returns the block that contains the whole range, or null.
  const Block* find_locked(const void* data, std::size_t bytes) const;

  mutable std::mutex mutex_;
  std::map<const char*, Block> blocks_;
  std::uint64_t allocations_ = 0;
  std::vector<std::size_t> used_;
  std::size_t used_pinned_ = 0;
  std::size_t most_pinned_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_HOST_SIMULATED_MEMORY_H_

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/memory_pool.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace millrace {
namespace {

constexpr std::size_t kSizesAnOctave = 8;
constexpr std::size_t kLargestStep = std::size_t{32} << 20;

// Returns the size of the block that serves a request for `bytes` bytes.
std::size_t block_size(std::size_t bytes) {
  const std::size_t step =
      std::clamp(std::bit_floor(bytes) / kSizesAnOctave, Device::kAlignment, kLargestStep);
  const std::size_t excess = bytes % step;
  // A size near the maximum of std::size_t is not rounded up; the device rejects it.
  return excess == 0 || bytes > SIZE_MAX - step ? bytes : bytes - excess + step;
}

}  // namespace

void* MemoryPool::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::size_t size = block_size(bytes);
  if (void* const unused = take_unused(size)) return unused;
  reserve_unused(size);
  try {
    void* const data = device_.allocate(space_, size);
    const std::lock_guard lock(mutex_);
    statistics_.bytes_held += size;
    count_taken(size);
    return data;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    --blocks_[size].count;
    throw;
  }
}

void MemoryPool::deallocate(void* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  statistics_.bytes_in_use -= size;
  blocks_.find(size)->second.unused.push_back(data);
}

std::size_t MemoryPool::trim(std::size_t keep_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  std::size_t given = 0;
  for (auto blocks = blocks_.rbegin(); blocks != blocks_.rend(); ++blocks) {
    auto& [size, same_size] = *blocks;
    while (!same_size.unused.empty() && statistics_.bytes_held > keep_bytes) {
      device_.deallocate(space_, same_size.unused.back(), size);
      same_size.unused.pop_back();
      --same_size.count;
      statistics_.bytes_held -= size;
      given += size;
    }
  }
  return given;
}

MemoryPool::Statistics MemoryPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void* MemoryPool::take_unused(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(block_bytes);
  if (found == blocks_.end() || found->second.unused.empty()) return nullptr;
  void* const data = found->second.unused.back();
  found->second.unused.pop_back();
  ++statistics_.reuses;
  count_taken(block_bytes);
  return data;
}

void MemoryPool::count_taken(std::size_t block_bytes) {
  ++statistics_.allocations;
  statistics_.bytes_in_use += block_bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes_in_use);
}

// Reserves capacity for one more block of that size, so that deallocate() allocates nothing.
void MemoryPool::reserve_unused(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  Blocks& blocks = blocks_[block_bytes];
  blocks.unused.reserve(std::bit_ceil(blocks.count + 1));
  ++blocks.count;
}

}  // namespace millrace

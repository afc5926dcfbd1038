// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/launch/block_run.h>

#include <algorithm>
#include <cstdlib>

namespace millrace::simt {
namespace {

constexpr std::size_t kAlignment = 256;

}  // namespace

SimulatedMemory& SimulatedMemory::get() {
  static auto& memory =
      *new SimulatedMemory;  // Never destroyed: buffers may outlive static objects.
  return memory;
}

void* SimulatedMemory::allocate(int device, std::size_t bytes, std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  used_.resize(kDevices);
  std::size_t& used = used_[static_cast<std::size_t>(device)];
  if (bytes > capacity - used) return nullptr;
  void* memory = allocate_locked(device, bytes);
  if (memory != nullptr) used += bytes;
  return memory;
}

void* SimulatedMemory::allocate_pinned(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (used_pinned_ > most_pinned_ || bytes > most_pinned_ - used_pinned_) return nullptr;
  void* memory = allocate_locked(kPinned, bytes);
  if (memory != nullptr) used_pinned_ += bytes;
  return memory;
}

void SimulatedMemory::limit_pinned(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  most_pinned_ = bytes;
}

void* SimulatedMemory::allocate_locked(int device, std::size_t bytes) {
  void* memory = allocate_used_memory(std::max<std::size_t>(bytes, 1), kAlignment);
  if (memory == nullptr) return nullptr;
  blocks_[static_cast<const char*>(memory)] = {device, bytes};
  ++allocations_;
  return memory;
}

void SimulatedMemory::free(void* memory) noexcept {
  if (memory == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(static_cast<const char*>(memory));
    if (found != blocks_.end()) {
      const Block block = found->second;
      if (block.device == kPinned) {
        used_pinned_ -= block.bytes;
      } else {
        used_[static_cast<std::size_t>(block.device)] -= block.bytes;
      }
      blocks_.erase(found);
    }
  }
  std::free(memory);  // Also reports an invalid address.
}

std::size_t SimulatedMemory::used(int device) const {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(device);
  return index < used_.size() ? used_[index] : 0;
}

std::size_t SimulatedMemory::used_pinned() const {
  const std::lock_guard lock(mutex_);
  return used_pinned_;
}

std::uint64_t SimulatedMemory::allocations() const {
  const std::lock_guard lock(mutex_);
  return allocations_;
}

bool SimulatedMemory::holds(const void* data, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return bytes == 0 || find_locked(data, bytes) != nullptr;
}

MemorySpace SimulatedMemory::space_of(const void* data) const {
  const std::lock_guard lock(mutex_);
  const Block* const block = find_locked(data, 1);
  if (block == nullptr) return MemorySpace::kHost;
  return block->device == kPinned ? MemorySpace::kPinned : MemorySpace::kDevice;
}

const SimulatedMemory::Block* SimulatedMemory::find_locked(const void* data,
                                                           std::size_t bytes) const {
  const auto* first = static_cast<const char*>(data);
  auto found = blocks_.upper_bound(first);
  if (found == blocks_.begin()) return nullptr;
  --found;
  const std::size_t offset = static_cast<std::size_t>(first - found->first);
  const Block& block = found->second;
  return offset <= block.bytes && bytes <= block.bytes - offset ? &block : nullptr;
}

}  // namespace millrace::simt

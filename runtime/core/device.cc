// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/memory_pool.h>

namespace millrace {

Device::Device() = default;
Device::~Device() = default;

void* Device::allocate(MemorySpace space, std::size_t bytes) {
  try {
    return try_allocate(space, bytes);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kOutOfMemory || pool(space)->trim(0) == 0) throw;
  }
  return try_allocate(space, bytes);
}

std::shared_ptr<MemoryPool> Device::pool(MemorySpace space) {
  const std::lock_guard lock(pools_mutex_);
  auto& pool = pools_[static_cast<std::size_t>(space)];
  if (!pool) pool = std::make_unique<MemoryPool>(*this, space);
  return {shared_from_this(), pool.get()};
}

void Device::close_pools() noexcept {
  for (auto& pool : pools_) pool.reset();
}

}  // namespace millrace

// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>

namespace millrace::simt {
namespace {

constexpr std::size_t kMaxTextureSide = 16384;

thread_local int device_of_thread = 0;

// Returns how many blocks a multiprocessor holds at most: one under sanitizers, which make each GPU
// thread dear.
int max_resident_blocks() noexcept {
  return has_address_sanitizer() || has_thread_sanitizer() ? 1 : 2;
}

void check_device(int device) {
  if (device >= 0 && device < kDevices) return;
  throw Error(ErrorCode::kInternal, "there is no device simt:" + std::to_string(device) +
                                        "; use 0 to " + std::to_string(kDevices - 1));
}

}  // namespace

int current_device() noexcept { return device_of_thread; }

int warp_width(int device) noexcept { return device == 0 ? 32 : 64; }

int resident_blocks(int threads, std::size_t shared_bytes) noexcept {
  if (threads < 1 || threads > kMaxThreadsPerBlock || shared_bytes > kSharedBytes) return 0;
  const int most = max_resident_blocks();
  return shared_bytes * most > kSharedBytes ? 1 : most;
}

int device_resident_blocks(int threads, std::size_t shared_bytes) noexcept {
  return resident_blocks(threads, shared_bytes) * kMultiprocessors;
}

}  // namespace millrace::simt

namespace millrace::simt_backend {

int count_devices() noexcept { return simt::kDevices; }

std::string why_no_device() { return {}; }

gpu::Properties properties(int device) {
  simt::check_device(device);
  const int width = simt::warp_width(device);
  const simt::Features features = simt::features();
  return {
      .description = "simulated GPU with warps of " + std::to_string(width),
      .multiprocessors = simt::kMultiprocessors,
      .warp_width = width,
      .max_threads_per_block = simt::kMaxThreadsPerBlock,
      .shared_bytes_per_block = simt::kSharedBytes,
      .memory_bytes = simt::memory_bytes(),
      .has_cooperative_launch = features.has_cooperative_launch,
      .has_textures = features.has_textures,
      .max_texture_width = simt::kMaxTextureSide,
      .max_texture_height = simt::kMaxTextureSide,
      .is_simulated = true,
  };
}

void use_device(int device) {
  simt::check_device(device);
  simt::device_of_thread = device;
}

DeviceScope::DeviceScope(int device) : callers_(simt::current_device()) { use_device(device); }

DeviceScope::~DeviceScope() { simt::device_of_thread = callers_; }

bool enable_peer(int device) {
  simt::check_device(device);
  return true;
}

std::size_t free_memory() {
  const std::size_t used = simt::SimulatedMemory::get().used(simt::current_device());
  return std::max(simt::memory_bytes(), used) - used;
}

void* allocate_device(std::size_t bytes) {
  return simt::SimulatedMemory::get().allocate(simt::current_device(), bytes, simt::memory_bytes());
}

void* allocate_pinned(std::size_t bytes) {
  return simt::SimulatedMemory::get().allocate_pinned(bytes);
}

void free_device(void* memory) noexcept { simt::SimulatedMemory::get().free(memory); }

void free_pinned(void* memory) noexcept { simt::SimulatedMemory::get().free(memory); }

MemorySpace space_of(const void* memory) noexcept {
  return simt::SimulatedMemory::get().space_of(memory);
}

}  // namespace millrace::simt_backend

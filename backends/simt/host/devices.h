// SPDX-License-Identifier: Apache-2.0

// The simulated devices, which differ in warp width: simt:0 has 32 lanes, simt:1 has 64.
#ifndef MILLRACE_BACKENDS_SIMT_HOST_DEVICES_H_
#define MILLRACE_BACKENDS_SIMT_HOST_DEVICES_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/runtime/core/memory_space.h>

#include <cstddef>
#include <string>

namespace millrace::simt_backend {

constexpr char kBackend[] = "simt";

int count_devices() noexcept;
std::string why_no_device();
gpu::Properties properties(int device);

void use_device(int device);

// Specified in backends/gpu/api.h.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int callers_;
};

bool enable_peer(int device);
std::size_t free_memory();
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void free_device(void* memory) noexcept;
void free_pinned(void* memory) noexcept;
MemorySpace space_of(const void* memory) noexcept;

}  // namespace millrace::simt_backend

namespace millrace::simt {

constexpr int kDevices = 2;

// Returns the current device of the calling thread.
int current_device() noexcept;

int warp_width(int device) noexcept;

// Returns the number of blocks of `threads` threads that a multiprocessor holds at once; 0 if it
// cannot run one.
int resident_blocks(int threads, std::size_t shared_bytes) noexcept;

// Returns the same for a whole device.
int device_resident_blocks(int threads, std::size_t shared_bytes) noexcept;

constexpr int kMultiprocessors = 3;
constexpr int kMaxThreadsPerBlock = 128;
constexpr std::size_t kSharedBytes = std::size_t{64} << 10;

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_HOST_DEVICES_H_

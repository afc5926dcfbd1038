// SPDX-License-Identifier: Apache-2.0

// The host side of the GPU calls over HIP. backends/gpu/api.h specifies each.
#ifndef MILLRACE_BACKENDS_HIP_HOST_CALLS_H_
#define MILLRACE_BACKENDS_HIP_HOST_CALLS_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/runtime/core/memory_space.h>

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace millrace::hip_backend {

inline constexpr char kBackend[] = "hip";

using Stream = hipStream_t;
using StreamEvent = hipEvent_t;
using Texture = hipTextureObject_t;

int count_devices() noexcept;
std::string why_no_device();
gpu::Properties properties(int device);
void use_device(int device);  // Used by DeviceScope.

// Specified in backends/gpu/api.h. HIP knows only the contexts of devices; a context that a caller
// on an NVIDIA device has made by CUDA's driver is not restored.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int callers_ = kNone;  // kNone if the device was not changed.
  static constexpr int kNone = -1;
};

bool enable_peer(int device);
std::size_t free_memory();
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void free_device(void* memory) noexcept;
void free_pinned(void* memory) noexcept;
MemorySpace space_of(const void* memory) noexcept;

Stream create_stream();
void destroy_stream(Stream stream) noexcept;
inline void check_stream(Stream) {}  // HIP 5.2 cannot report the device of a stream.
void synchronize(Stream stream);
bool is_idle(Stream stream);
void copy(void* target, const void* source, std::size_t bytes, Stream stream);
void fill(void* target, std::byte value, std::size_t bytes, Stream stream);

StreamEvent create_event();
void destroy_event(StreamEvent event) noexcept;
void record(StreamEvent event, Stream stream);
void wait_for(Stream stream, StreamEvent event);
bool is_reached(StreamEvent event);
void synchronize(StreamEvent event);
double seconds_between(StreamEvent begin, StreamEvent end);

// `data` and `row_bytes` are multiples of the device's texture alignments, at most 512 and 256
// bytes.
Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes);
void destroy_texture(Texture texture) noexcept;

// Type-erased forms of launch() and resident_blocks() below. `arguments` are the addresses of
// values of the kernel's parameter types.
void launch_kernel(const void* kernel, const gpu::LaunchShape& shape, Stream stream,
                   void** arguments);
int resident_blocks_of(const void* kernel, int threads, std::size_t shared_bytes);

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const gpu::LaunchShape& shape, Stream stream,
            Arguments&&... arguments) {
  const auto launch_with = [&](Parameters... values) {
    void* addresses[] = {const_cast<void*>(static_cast<const void*>(std::addressof(values)))...,
                         nullptr};
    launch_kernel(reinterpret_cast<const void*>(kernel), shape, stream, addresses);
  };
  launch_with(std::forward<Arguments>(arguments)...);
}

template <class... Parameters>
int resident_blocks(void (*kernel)(Parameters...), int threads, std::size_t shared_bytes) {
  return resident_blocks_of(reinterpret_cast<const void*>(kernel), threads, shared_bytes);
}

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_HOST_CALLS_H_

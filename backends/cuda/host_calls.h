// SPDX-License-Identifier: Apache-2.0

// The host side of the GPU calls over CUDA but for those that take a kernel (kernel_calls.h).
// backends/gpu/api.h specifies each.
#ifndef MILLRACE_BACKENDS_CUDA_HOST_CALLS_H_
#define MILLRACE_BACKENDS_CUDA_HOST_CALLS_H_

#include <millrace/backends/cuda/device_scope.h>
#include <millrace/backends/gpu/api_types.h>
#include <millrace/runtime/core/memory_space.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace millrace::cuda_backend {

inline constexpr char kBackend[] = "cuda";

// Throws the Error for a status other than cudaSuccess; `what` describes the attempted action.
[[noreturn]] void throw_cuda_error(cudaError_t status, const char* what);

using Stream = cudaStream_t;
using StreamEvent = cudaEvent_t;
using Texture = cudaTextureObject_t;

int count_devices() noexcept;
std::string why_no_device();
gpu::Properties properties(int device);
void use_device(int device);  // Used by DeviceScope.

bool enable_peer(int device);
std::size_t free_memory();
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void free_device(void* memory) noexcept;
void free_pinned(void* memory) noexcept;
MemorySpace space_of(const void* memory) noexcept;

Stream create_stream();
void destroy_stream(Stream stream) noexcept;
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

// `data` and `row_bytes` are multiples of the device's texture alignments, 512 and 32 bytes.
Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes);
void destroy_texture(Texture texture) noexcept;

}  // namespace millrace::cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_HOST_CALLS_H_

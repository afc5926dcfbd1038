// SPDX-License-Identifier: Apache-2.0

// The calls of backends/gpu/api.h that take a kernel, over CUDA. They are inline so that they call
// the copy of CUDA's runtime with which the caller's kernels are registered; libmillrace.so has
// another copy inside. Both work in the device's primary context, and streams belong to the driver,
// so either copy may launch in the library's streams. They are hidden, or a library that is loaded
// later would use those of the first.
#ifndef MILLRACE_BACKENDS_CUDA_KERNEL_CALLS_H_
#define MILLRACE_BACKENDS_CUDA_KERNEL_CALLS_H_

#include <millrace/backends/cuda/host_calls.h>
#include <millrace/backends/gpu/api_types.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#pragma GCC visibility push(hidden)
namespace millrace::cuda_backend {

// Throws unless `status`, which a call of the copy of the runtime in this library or program has
// returned, is a success.
inline void check_call(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // Otherwise the next call that queries the error would get it.
  throw_cuda_error(status, what);
}

// Returns true if the kernel supports programmatic dependent launch. Code compiled for devices
// before Hopper does not, even if a newer device runs it.
inline bool supports_dependent_launch(const void* kernel) {
  static std::shared_mutex mutex;
  static std::map<std::pair<int, const void*>, bool> known;  // Indexed by device and kernel.
  int device = 0;
  check_call(cudaGetDevice(&device), "query the current device");
  {
    const std::shared_lock lock(mutex);
    const auto found = known.find({device, kernel});
    if (found != known.end()) return found->second;
  }
  cudaFuncAttributes attributes = {};
  check_call(cudaFuncGetAttributes(&attributes, kernel), "query the attributes of a kernel");
  constexpr int kHopper = 90;
  const std::lock_guard lock(mutex);
  return known[{device, kernel}] = attributes.ptxVersion >= kHopper;
}

// Type-erased forms of launch() and resident_blocks() below. `arguments` are the addresses of
// values of the kernel's parameter types.
inline void launch_kernel(const void* kernel, const gpu::LaunchShape& shape, Stream stream,
                          void** arguments) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (shape.cooperative) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (shape.is_dependent_launch && supports_dependent_launch(kernel)) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim.x = shape.blocks;
  config.blockDim.x = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  check_call(cudaLaunchKernelExC(&config, kernel, arguments), "launch a kernel");
}

inline int resident_blocks_of(const void* kernel, int threads, std::size_t shared_bytes) {
  // Always sets the device's maximum, since another thread may be about to launch the kernel with
  // more than `shared_bytes`.
  int device = 0;
  int most = 0;
  check_call(cudaGetDevice(&device), "query the current device");
  check_call(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "query the shared memory of a block");
  if (shared_bytes > static_cast<std::size_t>(most)) return 0;
  check_call(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
             "allow a kernel its shared memory");
  int blocks = 0;
  check_call(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
             "query the resident blocks of a kernel");
  return blocks;
}

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

}  // namespace millrace::cuda_backend
#pragma GCC visibility pop

#endif  // MILLRACE_BACKENDS_CUDA_KERNEL_CALLS_H_

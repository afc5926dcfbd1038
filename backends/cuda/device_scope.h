// SPDX-License-Identifier: Apache-2.0

// Selects the device and context of a thread's CUDA calls.
#ifndef MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_
#define MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace millrace::cuda_backend {

// While it lives, this thread's calls go to the device's primary context; afterwards to the
// caller's context again. A thread that had none keeps the device's.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  CUcontext callers_ = nullptr;  // Null if the context was not changed.
};

// Throws kInvalidArgument for a stream of another context than the current one.
void check_stream(cudaStream_t stream);

}  // namespace millrace::cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_

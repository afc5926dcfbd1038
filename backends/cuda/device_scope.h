// SPDX-License-Identifier: Apache-2.0

// Which device and context a thread's CUDA calls are for.
#ifndef MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_
#define MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace millrace::cuda_backend {

// While it lives, this thread's calls are for the device's primary context; then for the one that
// was its caller's. A thread that had none keeps the device's.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  CUcontext callers_ = nullptr;  // Null where nothing has changed.
};

// Throws kInvalidArgument for a stream that is not of the context in use.
void check_stream(cudaStream_t stream);

}  // namespace millrace::cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_DEVICE_SCOPE_H_

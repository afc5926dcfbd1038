// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cuda/device_scope.h>
#include <millrace/backends/cuda/host_calls.h>
#include <millrace/backends/gpu/nvidia/driver.h>
#include <millrace/runtime/core/check.h>

#include <string>

namespace millrace::cuda_backend {
namespace {

CUcontext current_context() {
  static auto* const get = gpu::driver_function<CUresult(CUcontext*)>("cuCtxGetCurrent");
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS) return nullptr;
  return context;
}

}  // namespace

DeviceScope::DeviceScope(int device) {
  const CUcontext before = current_context();
  use_device(device);
  if (before != nullptr && before != current_context()) callers_ = before;
}

DeviceScope::~DeviceScope() {
  if (callers_ == nullptr) return;
  static auto* const set = gpu::driver_function<CUresult(CUcontext)>("cuCtxSetCurrent");
  set(callers_);  // A current context existed, so the driver is loaded.
}

void check_stream(cudaStream_t stream) {
  static auto* const context_of =
      gpu::driver_function<CUresult(CUstream, CUcontext*)>("cuStreamGetCtx");
  CUcontext context = nullptr;
  if (context_of != nullptr && context_of(stream, &context) == CUDA_SUCCESS &&
      context == current_context()) {
    return;
  }
  reject(
      "the stream is not of this device's primary context, which Millrace works in; the "
      "runtime's calls make such streams, and the driver's after cuDevicePrimaryCtxRetain");
}

}  // namespace millrace::cuda_backend

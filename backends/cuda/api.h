// SPDX-License-Identifier: Apache-2.0

// The GPU calls of backends/gpu/api.h over CUDA. Only nvcc compiles this header; any compiler can
// compile host_calls.h.
#ifndef MILLRACE_BACKENDS_CUDA_API_H_
#define MILLRACE_BACKENDS_CUDA_API_H_

#include <millrace/backends/cuda/host_calls.h>
#include <millrace/backends/cuda/kernel_calls.h>
#include <millrace/backends/gpu/nvidia/atomics.h>
#include <millrace/backends/gpu/nvidia/device_calls.h>

#include <cuda_runtime.h>

#define MILLRACE_GPU cuda_backend
#define MILLRACE_KERNEL __global__

namespace millrace::cuda_backend {
using namespace nvidia;  // Shared with HIP on NVIDIA devices.

template <class Body>
MILLRACE_KERNEL void __launch_bounds__(Body::kMaxThreads, Body::kTargetBlocks)
    body_kernel(const __grid_constant__ Body body) {
  body();
}

}  // namespace millrace::cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_API_H_

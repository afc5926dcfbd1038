// SPDX-License-Identifier: Apache-2.0

// The GPU calls of backends/gpu/api.h over HIP. Only hipcc compiles this header, or nvcc with
// __HIP_PLATFORM_NVIDIA__; any compiler can compile host_calls.h.
#ifndef MILLRACE_BACKENDS_HIP_API_H_
#define MILLRACE_BACKENDS_HIP_API_H_

#include <millrace/backends/hip/host_calls.h>

#include <hip/hip_runtime.h>

#define MILLRACE_GPU hip_backend
#define MILLRACE_KERNEL __global__

#ifdef __HIP_PLATFORM_NVIDIA__
#include <millrace/backends/gpu/nvidia/atomics.h>
#include <millrace/backends/gpu/nvidia/device_calls.h>

namespace millrace::hip_backend {
using namespace nvidia;
}  // namespace millrace::hip_backend
#else
#include <millrace/backends/hip/atomics.h>
#include <millrace/backends/hip/device_calls.h>
#endif

namespace millrace::hip_backend {

#ifdef __HIP_PLATFORM_NVIDIA__
template <class Body>
MILLRACE_KERNEL void __launch_bounds__(Body::kMaxThreads, Body::kTargetBlocks)
    body_kernel(const __grid_constant__ Body body) {
  body();
}
#else
// If anything indexes a parameter, it is copied to the stack of each thread. So the body is used in
// the launch's argument memory, where the only argument comes first. There is no second launch
// bound, because it would count waves per SIMD unit, which depends on the device.
template <class Body>
MILLRACE_KERNEL void __launch_bounds__(Body::kMaxThreads) body_kernel(const Body) {
  (*(const Body*)__builtin_amdgcn_kernarg_segment_ptr())();
}
#endif

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_API_H_

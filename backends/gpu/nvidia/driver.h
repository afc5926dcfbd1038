// SPDX-License-Identifier: Apache-2.0

// Functions of CUDA's driver by name. The first call loads the library, so that programs also start
// on machines without it.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_DRIVER_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_DRIVER_H_

#include <dlfcn.h>

namespace millrace::gpu {

// Returns null if the driver is missing or has no such function. `name` is the exported name, such
// as "cuCtxCreate_v2", and Function its type without CUDAAPI.
template <class Function>
Function* driver_function(const char* name) noexcept {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
}

}  // namespace millrace::gpu

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_DRIVER_H_

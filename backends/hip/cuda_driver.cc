// SPDX-License-Identifier: Apache-2.0

// Definitions of the functions of CUDA's driver to which HIP's headers refer on NVIDIA devices.
// Each forwards to the driver (backends/gpu/nvidia/driver.h).
#include <millrace/backends/gpu/nvidia/driver.h>

#include <cuda.h>

#include <cstddef>

namespace {

// Calls the driver's function of that name, whose parameters have the types of `arguments`.
template <class... Arguments>
CUresult forward(const char* name, Arguments... arguments) {
  auto* const function = millrace::gpu::driver_function<CUresult(Arguments...)>(name);
  return function == nullptr ? CUDA_ERROR_NO_DEVICE : function(arguments...);
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) { return forward("cuInit", flags); }

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return forward("cuDeviceGetName", name, length, device);
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return forward("cuDeviceTotalMem_v2", bytes, device);  // cuda.h renames the function to this one.
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return forward("cuDeviceGetAttribute", value, attribute, device);
}

}  // extern "C"

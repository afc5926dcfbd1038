// SPDX-License-Identifier: Apache-2.0

// Definitions of the functions of AMD's HIP library to which Millrace and kernels compiled by hipcc
// refer. Each forwards to the library, which the first call loads (hip_library.h).
#include <millrace/backends/hip/hip_library.h>
#include <millrace/backends/hip/kernel_registry.h>

#include <hip/hip_runtime_api.h>

#include <algorithm>

namespace millrace::hip_backend {
namespace {

template <std::size_t N>
struct Name {
  consteval Name(const char (&literal)[N]) { std::copy_n(literal, N, text); }
  char text[N];
};

// Calls the library's function of that name, whose parameters have the types of `arguments`.
template <Name name, class... Arguments>
hipError_t forward(Arguments... arguments) {
  using Function = hipError_t(Arguments...);
  static auto* const kFunction = reinterpret_cast<Function*>(find_in_library(name.text));
  if (kFunction == nullptr || has_ended()) return hipErrorSharedObjectInitFailed;
  return kFunction(arguments...);
}

// Does the same for functions that describe an error.
template <Name name>
const char* describe(hipError_t error) {
  using Function = const char*(hipError_t);
  static auto* const kFunction = reinterpret_cast<Function*>(find_in_library(name.text));
  if (kFunction == nullptr || has_ended()) return "the HIP library is not installed";
  return kFunction(error);
}

}  // namespace
}  // namespace millrace::hip_backend

using millrace::hip_backend::describe;
using millrace::hip_backend::forward;
using millrace::hip_backend::kernel_registry;

extern "C" {

hipError_t hipInit(unsigned flags) { return forward<"hipInit">(flags); }

hipError_t hipGetLastError() { return forward<"hipGetLastError">(); }

hipError_t hipGetDeviceCount(int* count) { return forward<"hipGetDeviceCount">(count); }

hipError_t hipGetDevice(int* device) { return forward<"hipGetDevice">(device); }

hipError_t hipSetDevice(int device) { return forward<"hipSetDevice">(device); }

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return forward<"hipDeviceGetAttribute">(value, attribute, device);
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return forward<"hipDeviceCanAccessPeer">(can, device, peer);
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return forward<"hipDeviceEnablePeerAccess">(peer, flags);
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return forward<"hipDeviceGetName">(name, length, device);
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return forward<"hipDeviceTotalMem">(bytes, device);
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return forward<"hipMemGetInfo">(free, total);
}

hipError_t hipMalloc(void** memory, size_t bytes) { return forward<"hipMalloc">(memory, bytes); }

hipError_t hipFree(void* memory) { return forward<"hipFree">(memory); }

hipError_t hipMallocAsync(void** memory, size_t bytes, hipStream_t stream) {
  return forward<"hipMallocAsync">(memory, bytes, stream);
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return forward<"hipDeviceGetDefaultMemPool">(pool, device);
}

hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* access, size_t count) {
  return forward<"hipMemPoolSetAccess">(pool, access, count);
}

hipError_t hipFreeAsync(void* memory, hipStream_t stream) {
  return forward<"hipFreeAsync">(memory, stream);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* memory) {
  return forward<"hipPointerGetAttributes">(attributes, memory);
}

hipError_t hipHostMalloc(void** memory, size_t bytes, unsigned flags) {
  return forward<"hipHostMalloc">(memory, bytes, flags);
}

hipError_t hipHostFree(void* memory) { return forward<"hipHostFree">(memory); }

hipError_t hipMemcpyAsync(void* target, const void* source, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return forward<"hipMemcpyAsync">(target, source, bytes, kind, stream);
}

hipError_t hipMemsetAsync(void* target, int value, size_t bytes, hipStream_t stream) {
  return forward<"hipMemsetAsync">(target, value, bytes, stream);
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return forward<"hipStreamCreateWithFlags">(stream, flags);
}

hipError_t hipStreamDestroy(hipStream_t stream) { return forward<"hipStreamDestroy">(stream); }

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return forward<"hipStreamSynchronize">(stream);
}

hipError_t hipStreamQuery(hipStream_t stream) { return forward<"hipStreamQuery">(stream); }

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return forward<"hipStreamWaitEvent">(stream, event, flags);
}

hipError_t hipEventCreate(hipEvent_t* event) { return forward<"hipEventCreate">(event); }

hipError_t hipEventDestroy(hipEvent_t event) { return forward<"hipEventDestroy">(event); }

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return forward<"hipEventRecord">(event, stream);
}

hipError_t hipEventQuery(hipEvent_t event) { return forward<"hipEventQuery">(event); }

hipError_t hipEventSynchronize(hipEvent_t event) { return forward<"hipEventSynchronize">(event); }

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t begin, hipEvent_t end) {
  return forward<"hipEventElapsedTime">(milliseconds, begin, end);
}

hipError_t hipCreateTextureObject(hipTextureObject_t* texture, const hipResourceDesc* memory,
                                  const hipTextureDesc* reading, const hipResourceViewDesc* view) {
  return forward<"hipCreateTextureObject">(texture, memory, reading, view);
}

hipError_t hipDestroyTextureObject(hipTextureObject_t texture) {
  return forward<"hipDestroyTextureObject">(texture);
}

hipError_t hipFuncSetAttribute(const void* kernel, hipFuncAttribute attribute, int value) {
  return forward<"hipFuncSetAttribute">(kernel, attribute, value);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                        int threads, size_t shared_bytes) {
  return forward<"hipOccupancyMaxActiveBlocksPerMultiprocessor">(blocks, kernel, threads,
                                                                 shared_bytes);
}

hipError_t hipLaunchKernel(const void* kernel, dim3 blocks, dim3 threads, void** arguments,
                           size_t shared_bytes, hipStream_t stream) {
  return forward<"hipLaunchKernel">(kernel, blocks, threads, arguments, shared_bytes, stream);
}

hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 blocks, dim3 threads,
                                      void** arguments, unsigned shared_bytes, hipStream_t stream) {
  return forward<"hipLaunchCooperativeKernel">(kernel, blocks, threads, arguments, shared_bytes,
                                               stream);
}

hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 threads, size_t shared_bytes,
                                      hipStream_t stream) {
  return forward<"__hipPushCallConfiguration">(blocks, threads, shared_bytes, stream);
}

hipError_t __hipPopCallConfiguration(dim3* blocks, dim3* threads, size_t* shared_bytes,
                                     hipStream_t* stream) {
  return forward<"__hipPopCallConfiguration">(blocks, threads, shared_bytes, stream);
}

const char* hipGetErrorString(hipError_t error) { return describe<"hipGetErrorString">(error); }

const char* hipGetErrorName(hipError_t error) { return describe<"hipGetErrorName">(error); }

// hipcc emits calls of the following functions at the start and the end of a program.

void** __hipRegisterFatBinary(const void* binary) { return kernel_registry().add_binary(binary); }

void __hipRegisterFunction(void** binary, const void* host_kernel, char* device_kernel,
                           const char* name, unsigned thread_limit, void*, void*, void*, void*,
                           int*) {
  kernel_registry().add_kernel(binary, host_kernel, device_kernel, name, thread_limit);
}

void __hipRegisterVar(void** binary, void* host_variable, char* device_variable, const char* name,
                      int is_external, size_t bytes, int is_constant, int is_global) {
  kernel_registry().add_variable(binary, {.host_variable = host_variable,
                                          .device_variable = device_variable,
                                          .name = name,
                                          .is_external = is_external,
                                          .bytes = bytes,
                                          .is_constant = is_constant,
                                          .is_global = is_global});
}

void __hipUnregisterFatBinary(void** binary) { kernel_registry().remove_binary(binary); }

}  // extern "C"

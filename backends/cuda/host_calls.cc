// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cuda/host_calls.h>
#include <millrace/backends/cuda/kernel_calls.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_memory.h>

#include <algorithm>
#include <string>

namespace millrace::cuda_backend {
namespace {

// Returns true for errors after which the process can no longer use the device.
bool is_lost(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
#if CUDART_VERSION >= 13000
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
#endif
    case cudaErrorExternalDevice: return true;
    default: return false;
  }
}

ErrorCode code_of(cudaError_t status) {
  if (is_lost(status)) return ErrorCode::kDeviceLost;
  return status == cudaErrorMemoryAllocation ? ErrorCode::kOutOfMemory : ErrorCode::kInternal;
}

// Throws unless `status` is a success; `what` describes the attempted action.
// Returns true if the queried operation has completed.
bool has_happened(cudaError_t status, const char* what) {
  if (status == cudaErrorNotReady) return false;
  check_call(status, what);
  return true;
}

void* null_if_out_of_memory(cudaError_t status, void* memory, const char* what) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check_call(status, what);
  return memory;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_text() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    return "no CUDA driver is installed (libcuda.so.1); install that of the GPU";
  }
  return "the CUDA driver is too old: it supports CUDA " + version_text(driver) +
         ", this program needs " + version_text(CUDART_VERSION) + "; install a newer one";
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_call(cudaDeviceGetAttribute(&value, which, device), "read an attribute of the device");
  return value;
}

// Returns an attribute of the current device; 0 if the device no longer responds.
int attribute(cudaDeviceAttr which) noexcept {
  int device = 0;
  int value = 0;
  if (cudaGetDevice(&device) == cudaSuccess) cudaDeviceGetAttribute(&value, which, device);
  cudaGetLastError();
  return value;
}

// Returns true if the device supports stream-ordered allocation, in which neither allocating nor
// freeing waits for the work of other streams.
bool has_stream_order() noexcept { return attribute(cudaDevAttrMemoryPoolsSupported) != 0; }

// Allocates host memory and registers it with the driver after its pages have been touched, which
// is many times as fast as pages that the driver allocates. Returns null if the device needs
// another address for the memory, or if memory is short.
void* allocate_registered(std::size_t bytes) {
  if (attribute(cudaDevAttrCanUseHostPointerForRegisteredMem) == 0) return nullptr;
  void* const memory = allocate_touched(bytes);
  if (memory == nullptr) return nullptr;
  const cudaError_t status =
      cudaHostRegister(memory, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (status == cudaSuccess) return memory;
  cudaGetLastError();
  free_host_memory(memory);
  return nullptr;
}

}  // namespace

void throw_cuda_error(cudaError_t status, const char* what) {
  throw Error(code_of(status), std::string("CUDA could not ") + what + ": " +
                                   cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
                                   ")");
}

int count_devices() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

std::string why_no_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaSuccess && count > 0) return "";
  if (status == cudaErrorInsufficientDriver) return driver_text();
  if (status == cudaSuccess || status == cudaErrorNoDevice) {
    return "the CUDA driver finds no device, or CUDA_VISIBLE_DEVICES hides it";
  }
  return std::string("the CUDA driver does not start: ") + cudaGetErrorString(status);
}

gpu::Properties properties(int device) {
  cudaDeviceProp cuda;
  check_call(cudaGetDeviceProperties(&cuda, device), "describe the device");
  gpu::Properties result;
  result.description = cuda.name;
  result.multiprocessors = cuda.multiProcessorCount;
  result.warp_width = cuda.warpSize;
  result.max_threads_per_block = cuda.maxThreadsPerBlock;
  result.shared_bytes_per_block = cuda.sharedMemPerBlockOptin;
  result.memory_bytes = cuda.totalGlobalMem;
  result.has_cooperative_launch = attribute(cudaDevAttrCooperativeLaunch, device) != 0;
  result.has_textures = true;
  result.max_texture_width =
      std::min(cuda.maxTexture2DLinear[0], cuda.maxTexture2DLinear[2] / int{sizeof(gpu::Vector16)});
  result.max_texture_height = cuda.maxTexture2DLinear[1];
  return result;
}

void use_device(int device) { check_call(cudaSetDevice(device), "use the device"); }

namespace {

// Lets a device access the memory of another device's pool. Peer access alone does not apply to
// pools.
void share_pool(int owner, int reader) {
  cudaMemPool_t pool = nullptr;
  check_call(cudaDeviceGetDefaultMemPool(&pool, owner), "query another device's memory pool");
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = reader;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check_call(cudaMemPoolSetAccess(pool, &access, 1), "get access to another device's memory pool");
}

}  // namespace

bool enable_peer(int device) {
  int own = 0;
  int can = 0;
  check_call(cudaGetDevice(&own), "query the current device");
  check_call(cudaDeviceCanAccessPeer(&can, own, device), "query access between devices");
  if (can == 0) return false;
  const cudaError_t status = cudaDeviceEnablePeerAccess(device, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();
  } else if (status == cudaErrorTooManyPeers) {
    cudaGetLastError();
    return false;
  } else {
    check_call(status, "get access to another device's memory");
  }
  if (has_stream_order()) share_pool(device, own);
  return true;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check_call(cudaMemGetInfo(&free, &total), "query the free memory");
  return free;
}

void* allocate_device(std::size_t bytes) {
  constexpr char kWhat[] = "allocate device memory";
  void* memory = nullptr;
  if (!has_stream_order()) return null_if_out_of_memory(cudaMalloc(&memory, bytes), memory, kWhat);
  const cudaError_t status = cudaMallocAsync(&memory, bytes, cudaStreamPerThread);
  if (null_if_out_of_memory(status, memory, kWhat) == nullptr) return nullptr;
  check_call(cudaStreamSynchronize(cudaStreamPerThread), kWhat);
  return memory;
}

void free_device(void* memory) noexcept {
  if (has_stream_order()) {
    cudaFreeAsync(memory, cudaStreamPerThread);
    // Afterwards the memory is available to the system.
    cudaStreamSynchronize(cudaStreamPerThread);
  } else {
    cudaFree(memory);
  }
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = allocate_registered(bytes);
  if (memory != nullptr) return memory;
  const cudaError_t status =
      cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  return null_if_out_of_memory(status, memory, "allocate pinned memory");
}

void free_pinned(void* memory) noexcept {
  if (cudaHostUnregister(memory) == cudaSuccess) {
    free_host_memory(memory);
    return;
  }
  cudaGetLastError();
  cudaFreeHost(memory);
}

MemorySpace space_of(const void* memory) noexcept {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
    cudaGetLastError();
    return MemorySpace::kHost;
  }
  switch (attributes.type) {
    case cudaMemoryTypeUnregistered: return MemorySpace::kHost;
    case cudaMemoryTypeHost: return MemorySpace::kPinned;
    default: return MemorySpace::kDevice;
  }
}

Stream create_stream() {
  Stream stream = nullptr;
  check_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  return stream;
}

void destroy_stream(Stream stream) noexcept { cudaStreamDestroy(stream); }

void synchronize(Stream stream) { check_call(cudaStreamSynchronize(stream), "finish a stream"); }

bool is_idle(Stream stream) { return has_happened(cudaStreamQuery(stream), "run a stream"); }

void copy(void* target, const void* source, std::size_t bytes, Stream stream) {
  check_call(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream), "copy memory");
}

void fill(void* target, std::byte value, std::size_t bytes, Stream stream) {
  check_call(cudaMemsetAsync(target, std::to_integer<int>(value), bytes, stream), "fill memory");
}

StreamEvent create_event() {
  StreamEvent event = nullptr;
  check_call(cudaEventCreate(&event), "create an event");
  return event;
}

void destroy_event(StreamEvent event) noexcept { cudaEventDestroy(event); }

void record(StreamEvent event, Stream stream) {
  check_call(cudaEventRecord(event, stream), "record an event");
}

void wait_for(Stream stream, StreamEvent event) {
  check_call(cudaStreamWaitEvent(stream, event, 0), "make a stream wait for an event");
}

bool is_reached(StreamEvent event) {
  return has_happened(cudaEventQuery(event), "run up to an event");
}

void synchronize(StreamEvent event) {
  check_call(cudaEventSynchronize(event), "wait for an event");
}

double seconds_between(StreamEvent begin, StreamEvent end) {
  float milliseconds = 0;
  check_call(cudaEventElapsedTime(&milliseconds, begin, end),
             "measure the time between two events");
  return milliseconds / 1e3;
}

Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes) {
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypePitch2D;
  memory.res.pitch2D.devPtr = const_cast<void*>(data);
  memory.res.pitch2D.desc = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindUnsigned);
  memory.res.pitch2D.width = width;
  memory.res.pitch2D.height = height;
  memory.res.pitch2D.pitchInBytes = row_bytes;
  cudaTextureDesc reading = {};
  reading.readMode = cudaReadModeElementType;
  Texture texture = 0;
  check_call(cudaCreateTextureObject(&texture, &memory, &reading, nullptr), "create a texture");
  return texture;
}

void destroy_texture(Texture texture) noexcept { cudaDestroyTextureObject(texture); }

}  // namespace millrace::cuda_backend

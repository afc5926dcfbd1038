// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cuda/host_calls.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_memory.h>

namespace millrace::cuda_backend {
namespace {

// After these the process can do nothing more with the device.
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

// Throws unless `status` is a success; `what` was tried.
void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // Or the next call that asks would get this error.
  throw Error(is_lost(status) ? ErrorCode::kDeviceLost : ErrorCode::kInternal,
              std::string("CUDA could not ") + what + ": " + cudaGetErrorString(status) + " (" +
                  cudaGetErrorName(status) + ")");
}

// Whether what was asked about has happened.
bool has_happened(cudaError_t status, const char* what) {
  if (status == cudaErrorNotReady) return false;
  check(status, what);
  return true;
}

void* null_without_room(cudaError_t status, void* memory, const char* what) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(status, what);
  return memory;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_text() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    return "no CUDA driver is installed (libcuda.so.1)";
  }
  return "the CUDA driver is too old: it supports CUDA " + version_text(driver) +
         ", this program needs " + version_text(CUDART_VERSION);
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "read an attribute of the device");
  return value;
}

// Of the device in use; 0 where it no longer answers.
int attribute(cudaDeviceAttr which) noexcept {
  int device = 0;
  int value = 0;
  if (cudaGetDevice(&device) == cudaSuccess) cudaDeviceGetAttribute(&value, which, device);
  cudaGetLastError();
  return value;
}

// Whether memory can be had in the order of a stream: then neither taking nor freeing it waits for
// the work of other streams.
bool has_stream_order() noexcept { return attribute(cudaDevAttrMemoryPoolsSupported) != 0; }

// Host memory made known to the driver once its pages are there, which is many times as fast as to
// have the driver make them. Null where the device has to be told another address, or without room.
void* allocate_registered(std::size_t bytes) {
  if (attribute(cudaDevAttrCanUseHostPointerForRegisteredMem) == 0) return nullptr;
  void* const memory = allocate_touched(bytes);
  if (memory == nullptr) return nullptr;
  const cudaError_t status =
      cudaHostRegister(memory, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (status == cudaSuccess) return memory;
  cudaGetLastError();
  free_touched(memory);
  return nullptr;
}

}  // namespace

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
  check(cudaGetDeviceProperties(&cuda, device), "describe the device");
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

void use_device(int device) { check(cudaSetDevice(device), "use the device"); }

namespace {

// Memory of pools is reached by a device that the pool knows; peer access does not count there.
void share_pool(int owner, int reader) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, owner), "find another device's pool of memory");
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = reader;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check(cudaMemPoolSetAccess(pool, &access, 1), "reach another device's pool of memory");
}

}  // namespace

bool enable_peer(int device) {
  int own = 0;
  int can = 0;
  check(cudaGetDevice(&own), "find the device in use");
  check(cudaDeviceCanAccessPeer(&can, own, device), "ask whether devices reach each other");
  if (can == 0) return false;
  const cudaError_t status = cudaDeviceEnablePeerAccess(device, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();
  } else if (status == cudaErrorTooManyPeers) {
    cudaGetLastError();
    return false;
  } else {
    check(status, "reach another device's memory");
  }
  if (has_stream_order()) share_pool(device, own);
  return true;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "say how much memory is free");
  return free;
}

void* allocate_device(std::size_t bytes) {
  constexpr char kWhat[] = "allocate device memory";
  void* memory = nullptr;
  if (!has_stream_order()) return null_without_room(cudaMalloc(&memory, bytes), memory, kWhat);
  const cudaError_t status = cudaMallocAsync(&memory, bytes, cudaStreamPerThread);
  if (null_without_room(status, memory, kWhat) == nullptr) return nullptr;
  check(cudaStreamSynchronize(cudaStreamPerThread), kWhat);
  return memory;
}

void free_device(void* memory) noexcept {
  if (has_stream_order()) {
    cudaFreeAsync(memory, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);  // Then the system has it back.
  } else {
    cudaFree(memory);
  }
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = allocate_registered(bytes);
  if (memory != nullptr) return memory;
  const cudaError_t status =
      cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  return null_without_room(status, memory, "allocate pinned memory");
}

void free_pinned(void* memory) noexcept {
  if (cudaHostUnregister(memory) == cudaSuccess) {
    free_touched(memory);
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
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  return stream;
}

void destroy_stream(Stream stream) noexcept { cudaStreamDestroy(stream); }

void synchronize(Stream stream) { check(cudaStreamSynchronize(stream), "finish a stream"); }

bool is_idle(Stream stream) { return has_happened(cudaStreamQuery(stream), "run a stream"); }

void copy(void* target, const void* source, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream), "copy memory");
}

void fill(void* target, std::byte value, std::size_t bytes, Stream stream) {
  check(cudaMemsetAsync(target, std::to_integer<int>(value), bytes, stream), "fill memory");
}

StreamEvent create_event() {
  StreamEvent event = nullptr;
  check(cudaEventCreate(&event), "create an event");
  return event;
}

void destroy_event(StreamEvent event) noexcept { cudaEventDestroy(event); }

void record(StreamEvent event, Stream stream) {
  check(cudaEventRecord(event, stream), "record an event");
}

void wait_for(Stream stream, StreamEvent event) {
  check(cudaStreamWaitEvent(stream, event, 0), "let a stream wait for an event");
}

bool is_reached(StreamEvent event) {
  return has_happened(cudaEventQuery(event), "run up to an event");
}

void synchronize(StreamEvent event) { check(cudaEventSynchronize(event), "wait for an event"); }

double seconds_between(StreamEvent begin, StreamEvent end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "tell the time between two events");
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
  check(cudaCreateTextureObject(&texture, &memory, &reading, nullptr), "create a texture");
  return texture;
}

void destroy_texture(Texture texture) noexcept { cudaDestroyTextureObject(texture); }

namespace {

// Whether a kernel can wait for the one before it. Code made for devices before Hopper, which newer
// ones may be running, can not.
bool can_begin_early(const void* kernel) {
  static std::shared_mutex mutex;
  static std::map<std::pair<int, const void*>, bool> known;  // Of a device and a kernel.
  int device = 0;
  check(cudaGetDevice(&device), "tell the device in use");
  {
    const std::shared_lock lock(mutex);
    const auto found = known.find({device, kernel});
    if (found != known.end()) return found->second;
  }
  cudaFuncAttributes attributes = {};
  check(cudaFuncGetAttributes(&attributes, kernel), "tell what a kernel was compiled for");
  constexpr int kHopper = 90;
  const std::lock_guard lock(mutex);
  return known[{device, kernel}] = attributes.ptxVersion >= kHopper;
}

}  // namespace

void launch_kernel(const void* kernel, const gpu::LaunchShape& shape, Stream stream,
                   void** arguments) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (shape.cooperative) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (shape.begins_early && can_begin_early(kernel)) {
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
  check(cudaLaunchKernelExC(&config, kernel, arguments), "launch a kernel");
}

int resident_blocks_of(const void* kernel, int threads, std::size_t shared_bytes) {
  // Always the device's most: another thread may be about to launch the kernel with more than this.
  int device = 0;
  int most = 0;
  check(cudaGetDevice(&device), "tell the device in use");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "tell how much shared memory a block may have");
  if (shared_bytes > static_cast<std::size_t>(most)) return 0;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
        "allow a kernel its shared memory");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
        "tell how many blocks are resident");
  return blocks;
}

}  // namespace millrace::cuda_backend

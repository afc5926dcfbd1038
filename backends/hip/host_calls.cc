// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/hip/host_calls.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <array>

#ifndef __HIP_PLATFORM_NVIDIA__
#include <millrace/backends/hip/hip_library.h>
#endif

namespace millrace::hip_backend {
namespace {

#ifdef __HIP_PLATFORM_NVIDIA__
constexpr bool kAlwaysHasTextures = true;

// HIP has no names for CUDA's errors such as misaligned addresses and illegal instructions.
constexpr bool kUnknownIsLost = true;

// On NVIDIA devices HIP consists of headers over CUDA, so no library can be missing.
std::string why_no_library() { return ""; }

// Calls CUDA, because HIP's headers do not translate HIP's name of this attribute.
int opt_in_shared_bytes(int device) {
  int bytes = 0;
  if (cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
      cudaSuccess) {
    return bytes;
  }
  static_cast<void>(cudaGetLastError());
  return 0;
}
#else
constexpr bool kAlwaysHasTextures = false;
constexpr bool kUnknownIsLost = false;

// AMD's devices allow each kernel all of their shared memory.
int opt_in_shared_bytes(int /*device*/) { return 0; }
#endif

// Returns true for errors after which the process can no longer use the device. (At an illegal
// address AMD's runtime ends the process.)
bool is_lost(hipError_t status) {
  switch (status) {
    case hipErrorUnknown: return kUnknownIsLost;
    case hipErrorIllegalAddress:
    case hipErrorLaunchTimeOut:
    case hipErrorLaunchFailure:
    case hipErrorAssert:
    case hipErrorECCNotCorrectable: return true;
    default: return false;
  }
}

// Clears the last error, which the next call that queries it would get.
void forget_error() { static_cast<void>(hipGetLastError()); }

ErrorCode code_of(hipError_t status) {
  if (is_lost(status)) return ErrorCode::kDeviceLost;
  return status == hipErrorOutOfMemory ? ErrorCode::kOutOfMemory : ErrorCode::kInternal;
}

// Throws unless `status` is a success; `what` describes the attempted action.
void check(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  forget_error();
  throw Error(code_of(status), std::string("HIP could not ") + what + ": " +
                                   hipGetErrorString(status) + " (" + hipGetErrorName(status) +
                                   ")");
}

// Returns true if the queried operation has completed.
bool has_happened(hipError_t status, const char* what) {
  if (status == hipErrorNotReady) return false;
  check(status, what);
  return true;
}

void* null_if_out_of_memory(hipError_t status, void* memory, const char* what) {
  if (status == hipErrorOutOfMemory) {
    forget_error();
    return nullptr;
  }
  check(status, what);
  return memory;
}

int attribute(hipDeviceAttribute_t which, int device) {
  int value = 0;
  check(hipDeviceGetAttribute(&value, which, device), "read an attribute of the device");
  return value;
}

// Returns 0 if this version or device does not know the attribute.
int attribute_if_known(hipDeviceAttribute_t which, int device) {
  int value = 0;
  if (hipDeviceGetAttribute(&value, which, device) == hipSuccess) return value;
  forget_error();
  return 0;
}

// Returns true if the device supports stream-ordered allocation, in which neither allocating nor
// freeing waits for the work of other streams.
bool has_stream_order() noexcept {
  int device = 0;
  if (hipGetDevice(&device) == hipSuccess) {
    return attribute_if_known(hipDeviceAttributeMemoryPoolsSupported, device) != 0;
  }
  forget_error();
  return false;
}

// Returns the largest shared memory of a block.
int max_shared_bytes(int device) {
  return std::max(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device),
                  opt_in_shared_bytes(device));
}

std::string name_of(int device) {
  std::array<char, 256> name = {};
  check(hipDeviceGetName(name.data(), name.size() - 1, device), "read the name of the device");
  return name[0] == '\0' ? "AMD GPU" : name.data();
}

// NVIDIA's limit for textures on linear memory; AMD's limits for all textures are lower.
constexpr int kMaxTextureExtent = 65000;

}  // namespace

int count_devices() noexcept {
  int count = 0;
  if (hipGetDeviceCount(&count) == hipSuccess) return count;
  forget_error();
  return 0;
}

std::string why_no_device() {
  const std::string missing = why_no_library();
  if (!missing.empty()) return missing;
  int count = 0;
  const hipError_t status = hipGetDeviceCount(&count);
  forget_error();
  if (status == hipSuccess && count > 0) return "";
  if (status == hipErrorInsufficientDriver) {
    return "the GPU driver is missing or too old for this HIP; install a newer one";
  }
  if (status == hipSuccess || status == hipErrorNoDevice) {
    return "HIP finds no device: there is none, its driver (/dev/kfd) is missing or "
           "inaccessible, or HIP_VISIBLE_DEVICES hides it";
  }
  return std::string("HIP does not start: ") + hipGetErrorString(status);
}

gpu::Properties properties(int device) {
  check(hipInit(0), "start");
  gpu::Properties result;
  result.description = name_of(device);
  result.multiprocessors = attribute(hipDeviceAttributeMultiprocessorCount, device);
  result.warp_width = attribute(hipDeviceAttributeWarpSize, device);
  result.max_threads_per_block = attribute(hipDeviceAttributeMaxThreadsPerBlock, device);
  result.shared_bytes_per_block = max_shared_bytes(device);
  check(hipDeviceTotalMem(&result.memory_bytes, device), "query the memory of the device");
  result.has_cooperative_launch = attribute(hipDeviceAttributeCooperativeLaunch, device) != 0;
  result.has_textures =
      kAlwaysHasTextures || attribute_if_known(hipDeviceAttributeImageSupport, device) != 0;
  result.max_texture_width =
      std::min(attribute(hipDeviceAttributeMaxTexture2DWidth, device), kMaxTextureExtent);
  result.max_texture_height =
      std::min(attribute(hipDeviceAttributeMaxTexture2DHeight, device), kMaxTextureExtent);
  return result;
}

void use_device(int device) { check(hipSetDevice(device), "use the device"); }

DeviceScope::DeviceScope(int device) {
  int before = kNone;
  if (hipGetDevice(&before) != hipSuccess) {
    forget_error();
    before = kNone;
  }
  use_device(device);
  if (before != device) callers_ = before;
}

DeviceScope::~DeviceScope() {
  if (callers_ != kNone && hipSetDevice(callers_) != hipSuccess) forget_error();
}

namespace {

// Lets a device access the memory of another device's pool. Peer access alone does not apply to
// pools.
void share_pool(int owner, int reader) {
  hipMemPool_t pool = nullptr;
  check(hipDeviceGetDefaultMemPool(&pool, owner), "query another device's memory pool");
  hipMemAccessDesc access = {};
  access.location.type = hipMemLocationTypeDevice;
  access.location.id = reader;
  access.flags = hipMemAccessFlagsProtReadWrite;
  check(hipMemPoolSetAccess(pool, &access, 1), "get access to another device's memory pool");
}

}  // namespace

bool enable_peer(int device) {
  int own = 0;
  int can = 0;
  check(hipGetDevice(&own), "query the current device");
  check(hipDeviceCanAccessPeer(&can, own, device), "query access between devices");
  if (can == 0) return false;
  const hipError_t status = hipDeviceEnablePeerAccess(device, 0);
  if (status == hipErrorPeerAccessAlreadyEnabled) {
    forget_error();
  } else if (status == hipErrorPeerAccessUnsupported) {
    forget_error();
    return false;
  } else {
    check(status, "get access to another device's memory");
  }
  if (has_stream_order()) share_pool(device, own);
  return true;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(hipMemGetInfo(&free, &total), "query the free memory");
  return free;
}

void* allocate_device(std::size_t bytes) {
  constexpr char kWhat[] = "allocate device memory";
  void* memory = nullptr;
  if (!has_stream_order()) return null_if_out_of_memory(hipMalloc(&memory, bytes), memory, kWhat);
  const hipError_t status = hipMallocAsync(&memory, bytes, hipStreamPerThread);
  if (null_if_out_of_memory(status, memory, kWhat) == nullptr) return nullptr;
  check(hipStreamSynchronize(hipStreamPerThread), kWhat);
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  constexpr unsigned kFlags =
      hipHostMallocPortable | hipHostMallocMapped | static_cast<unsigned>(hipHostMallocCoherent);
  const hipError_t status = hipHostMalloc(&memory, bytes, kFlags);
  return null_if_out_of_memory(status, memory, "allocate pinned memory");
}

void free_device(void* memory) noexcept {
  if (has_stream_order()) {
    static_cast<void>(hipFreeAsync(memory, hipStreamPerThread));
    // Afterwards the memory is available to the system.
    static_cast<void>(hipStreamSynchronize(hipStreamPerThread));
  } else {
    static_cast<void>(hipFree(memory));
  }
}

void free_pinned(void* memory) noexcept { static_cast<void>(hipHostFree(memory)); }

// Decides by the addresses, because the values of hipMemoryType differ between versions of HIP.
MemorySpace space_of(const void* memory) noexcept {
  hipPointerAttribute_t attributes = {};
  if (hipPointerGetAttributes(&attributes, memory) != hipSuccess) {
    forget_error();
    return MemorySpace::kHost;
  }
  if (attributes.hostPointer != nullptr) return MemorySpace::kPinned;
  return attributes.devicePointer != nullptr ? MemorySpace::kDevice : MemorySpace::kHost;
}

Stream create_stream() {
  Stream stream = nullptr;
  check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "create a stream");
  return stream;
}

void destroy_stream(Stream stream) noexcept { static_cast<void>(hipStreamDestroy(stream)); }

void synchronize(Stream stream) { check(hipStreamSynchronize(stream), "finish a stream"); }

bool is_idle(Stream stream) { return has_happened(hipStreamQuery(stream), "run a stream"); }

void copy(void* target, const void* source, std::size_t bytes, Stream stream) {
  check(hipMemcpyAsync(target, source, bytes, hipMemcpyDefault, stream), "copy memory");
}

void fill(void* target, std::byte value, std::size_t bytes, Stream stream) {
  check(hipMemsetAsync(target, std::to_integer<int>(value), bytes, stream), "fill memory");
}

StreamEvent create_event() {
  StreamEvent event = nullptr;
  check(hipEventCreate(&event), "create an event");
  return event;
}

void destroy_event(StreamEvent event) noexcept { static_cast<void>(hipEventDestroy(event)); }

void record(StreamEvent event, Stream stream) {
  check(hipEventRecord(event, stream), "record an event");
}

void wait_for(Stream stream, StreamEvent event) {
  check(hipStreamWaitEvent(stream, event, 0), "make a stream wait for an event");
}

bool is_reached(StreamEvent event) {
  return has_happened(hipEventQuery(event), "run up to an event");
}

void synchronize(StreamEvent event) { check(hipEventSynchronize(event), "wait for an event"); }

double seconds_between(StreamEvent begin, StreamEvent end) {
  float milliseconds = 0;
  check(hipEventElapsedTime(&milliseconds, begin, end), "measure the time between two events");
  return milliseconds / 1e3;
}

Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes) {
  hipResourceDesc memory = {};
  memory.resType = hipResourceTypePitch2D;
  memory.res.pitch2D.devPtr = const_cast<void*>(data);
  memory.res.pitch2D.desc = {32, 32, 32, 32, hipChannelFormatKindUnsigned};
  memory.res.pitch2D.width = width;
  memory.res.pitch2D.height = height;
  memory.res.pitch2D.pitchInBytes = row_bytes;
  hipTextureDesc reading = {};
  reading.readMode = hipReadModeElementType;
  Texture texture = {};
  check(hipCreateTextureObject(&texture, &memory, &reading, nullptr), "create a texture");
  return texture;
}

void destroy_texture(Texture texture) noexcept {
  static_cast<void>(hipDestroyTextureObject(texture));
}

void launch_kernel(const void* kernel, const gpu::LaunchShape& shape, Stream stream,
                   void** arguments) {
  const auto blocks = dim3(static_cast<unsigned>(shape.blocks));
  const auto threads = dim3(static_cast<unsigned>(shape.threads));
  const auto shared = static_cast<unsigned>(shape.shared_bytes);
  check(shape.cooperative
            ? hipLaunchCooperativeKernel(kernel, blocks, threads, arguments, shared, stream)
            : hipLaunchKernel(kernel, blocks, threads, arguments, shared, stream),
        "launch a kernel");
}

int resident_blocks_of(const void* kernel, int threads, std::size_t shared_bytes) {
  // Always sets the device's maximum, since another thread may be about to launch the kernel with
  // more than `shared_bytes`.
  int device = 0;
  check(hipGetDevice(&device), "query the current device");
  const int most = max_shared_bytes(device);
  if (shared_bytes > static_cast<std::size_t>(most)) return 0;
  check(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, most),
        "allow a kernel its shared memory");
  int blocks = 0;
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
        "query the resident blocks of a kernel");
  return blocks;
}

}  // namespace millrace::hip_backend

// The device side of the GPU calls on NVIDIA devices, by CUDA or by HIP, but for atomics;
// backends/gpu/api.h says what each promises.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_

#include <bit>
#include <cstdint>

#include <cuda_runtime.h>

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/gpu/nvidia/word.h>

namespace millrace::nvidia {

inline constexpr int kWarpWidth = 32;
inline constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline int thread_index() { return static_cast<int>(threadIdx.x); }
__device__ inline int block_threads() { return static_cast<int>(blockDim.x); }
__device__ inline int block_index() { return static_cast<int>(blockIdx.x); }
__device__ inline int grid_blocks() { return static_cast<int>(gridDim.x); }

__device__ constexpr int warp_width() { return kWarpWidth; }
__device__ inline int lane_index() { return thread_index() % kWarpWidth; }

__device__ inline int multiprocessor_index() {
  int index;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
  return index;
}

__device__ inline char* shared_memory() {
  extern __shared__ gpu::Vector16 millrace_shared_memory[];
  return reinterpret_cast<char*>(millrace_shared_memory);
}

__device__ inline void sync_block() { __syncthreads(); }
__device__ inline void sync_warp() { __syncwarp(); }

template <class T>
__device__ T shuffle(T value, int lane) {
  return std::bit_cast<T>(__shfl_sync(kAllLanes, std::bit_cast<Word<T>>(value), lane));
}

template <class T>
__device__ T shuffle_down(T value, int delta) {
  return std::bit_cast<T>(__shfl_down_sync(kAllLanes, std::bit_cast<Word<T>>(value), delta));
}

template <class T>
__device__ T shuffle_xor(T value, int mask) {
  return std::bit_cast<T>(__shfl_xor_sync(kAllLanes, std::bit_cast<Word<T>>(value), mask));
}

__device__ inline gpu::LaneMask ballot(bool vote) { return __ballot_sync(kAllLanes, vote); }

__device__ inline void exit_thread() { asm volatile("exit;"); }

__device__ inline std::uint64_t clock_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__device__ inline void pause(unsigned nanoseconds) { __nanosleep(nanoseconds); }

__device__ inline gpu::Vector16 fetch(cudaTextureObject_t texture, int x, int y) {
  const auto found =
      tex2D<uint4>(texture, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  return {{found.x, found.y, found.z, found.w}};
}

}  // namespace millrace::nvidia

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_

// SPDX-License-Identifier: Apache-2.0

// The device side of the GPU calls on NVIDIA devices, by CUDA or by HIP, except atomics.
// backends/gpu/api.h specifies each.
//
// Functions that only kernels call are marked MILLRACE_FUNCTION like all others, so these are too.
// The pragmas direct nvcc not to check the calls to device functions in them for the host.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/gpu/nvidia/word.h>
#include <millrace/runtime/core/target_function.h>

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

namespace millrace::nvidia {

inline constexpr unsigned kWarpWidth = 32;
inline constexpr unsigned kAllLanes = 0xffffffff;

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline int thread_index() { return static_cast<int>(threadIdx.x); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline int block_threads() { return static_cast<int>(blockDim.x); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline int block_index() { return static_cast<int>(blockIdx.x); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline int grid_blocks() { return static_cast<int>(gridDim.x); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION constexpr int warp_width() { return static_cast<int>(kWarpWidth); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline int lane_index() {
  // Unsigned, so that the compiler knows the result to be below 32.
  return static_cast<int>(threadIdx.x % kWarpWidth);
}

__device__ inline gpu::Vector16* dynamic_shared_memory() {
  extern __shared__ gpu::Vector16 millrace_shared_memory[];
  return millrace_shared_memory;
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline char* shared_memory() {
  return reinterpret_cast<char*>(dynamic_shared_memory());
}

__device__ inline void block_barrier() { __syncthreads(); }

// The host's compiler has no declarations of the functions called here.
__device__ inline std::uint32_t byte_permute(std::uint32_t a, std::uint32_t b, unsigned selector) {
  return __byte_perm(a, b, selector);
}
__device__ inline std::uint32_t minimum_u16x2(std::uint32_t a, std::uint32_t b) {
  return __vminu2(a, b);
}
__device__ inline std::uint32_t maximum_u16x2(std::uint32_t a, std::uint32_t b) {
  return __vmaxu2(a, b);
}
__device__ inline std::uint32_t dot_u16x2(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  return __dp2a_lo(a, b, sum);
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void sync_block() { block_barrier(); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void sync_warp() { __syncwarp(); }

#pragma nv_exec_check_disable
template <class T>
MILLRACE_FUNCTION T shuffle(T value, int lane) {
  return std::bit_cast<T>(__shfl_sync(kAllLanes, std::bit_cast<Word<T>>(value), lane));
}

#pragma nv_exec_check_disable
template <class T>
MILLRACE_FUNCTION T shuffle_down(T value, int delta) {
  return std::bit_cast<T>(__shfl_down_sync(kAllLanes, std::bit_cast<Word<T>>(value), delta));
}

#pragma nv_exec_check_disable
template <class T>
MILLRACE_FUNCTION T shuffle_xor(T value, int mask) {
  return std::bit_cast<T>(__shfl_xor_sync(kAllLanes, std::bit_cast<Word<T>>(value), mask));
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline gpu::LaneMask ballot(bool vote) { return __ballot_sync(kAllLanes, vote); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b,
                                                     unsigned selector) {
  return byte_permute(a, b, selector);
}

template <unsigned kSelector>
MILLRACE_FUNCTION std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
  return permute_bytes(a, b, kSelector);
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
  return minimum_u16x2(a, b);
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint32_t max_halves(std::uint32_t a, std::uint32_t b) {
  return maximum_u16x2(a, b);
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint32_t sum_differences_of_bytes(std::uint32_t a, std::uint32_t b,
                                                                std::uint32_t sum) {
  std::uint32_t total;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(total) : "r"(a), "r"(b), "r"(sum));
  return total;
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint32_t sum_differences_of_halves(std::uint32_t a, std::uint32_t b,
                                                                 std::uint32_t sum) {
  constexpr std::uint32_t kOnes = 0x0101;
  return dot_u16x2(maximum_u16x2(a, b) - minimum_u16x2(a, b), kOnes, sum);
}

template <class Sample>
MILLRACE_FUNCTION std::uint32_t sum_absolute_differences(std::uint32_t a, std::uint32_t b,
                                                         std::uint32_t sum) {
  if constexpr (sizeof(Sample) == 1) {
    return sum_differences_of_bytes(a, b, sum);
  } else {
    return sum_differences_of_halves(a, b, sum);
  }
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void launch_dependents() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void exit_thread() {
  // A barrier waits for the accesses of threads that arrive, not of those that have exited.
  asm volatile("fence.acq_rel.gpu; exit;" : : : "memory");
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline std::uint64_t clock_cycles() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
  return now;
}

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline void pause(unsigned nanoseconds) { __nanosleep(nanoseconds); }

#pragma nv_exec_check_disable
MILLRACE_FUNCTION inline gpu::Vector16 fetch(cudaTextureObject_t texture, int x, int y) {
  const auto found =
      tex2D<uint4>(texture, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  return {{found.x, found.y, found.z, found.w}};
}

}  // namespace millrace::nvidia

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_DEVICE_CALLS_H_

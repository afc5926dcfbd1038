// SPDX-License-Identifier: Apache-2.0

// The device side of the GPU calls on AMD devices, except atomics. backends/gpu/api.h specifies
// each.
#ifndef MILLRACE_BACKENDS_HIP_DEVICE_CALLS_H_
#define MILLRACE_BACKENDS_HIP_DEVICE_CALLS_H_

#include <millrace/backends/gpu/api_types.h>

#include <hip/hip_runtime.h>

#include <bit>
#include <cstdint>

namespace millrace::hip_backend {

__device__ inline int thread_index() { return static_cast<int>(threadIdx.x); }
__device__ inline int block_threads() { return static_cast<int>(blockDim.x); }
__device__ inline int block_index() { return static_cast<int>(blockIdx.x); }
__device__ inline int grid_blocks() { return static_cast<int>(gridDim.x); }

// Constant when code is generated, but since HIP 7 not a constant expression.
__device__ inline int warp_width() { return static_cast<int>(warpSize); }
__device__ inline int lane_index() { return thread_index() & (warp_width() - 1); }

__device__ inline char* shared_memory() {
  extern __shared__ gpu::Vector16 millrace_shared_memory[];
  return reinterpret_cast<char*>(millrace_shared_memory);
}

__device__ inline void sync_block() { __syncthreads(); }

// Lanes run in lockstep, so only the compiler must be kept from moving memory accesses.
__device__ inline void sync_warp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

// Returns the value of lane `lane`. A T of 8 bytes is moved in words of 4.
template <class T>
__device__ T shuffle(T value, int lane) {
  struct Words {
    int word[sizeof(T) / 4];
  };
  auto words = std::bit_cast<Words>(value);
  for (int& word : words.word) word = __builtin_amdgcn_ds_bpermute(lane * 4, word);
  return std::bit_cast<T>(words);
}

template <class T>
__device__ T shuffle_down(T value, int delta) {
  const int lane = lane_index() + delta;
  return shuffle(value, lane < warp_width() ? lane : lane_index());
}

template <class T>
__device__ T shuffle_xor(T value, int mask) {
  return shuffle(value, lane_index() ^ mask);
}

__device__ inline gpu::LaneMask ballot(bool vote) { return __ballot(vote); }

template <unsigned kSelector>
__device__ std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kBytes = (kSelector & 0xf) | (kSelector & 0xf0) << 4 |
                                   (kSelector & 0xf00) << 8 | (kSelector & 0xf000) << 12;
  return __builtin_amdgcn_perm(b, a, kBytes);
}

using Halves = std::uint16_t __attribute__((ext_vector_type(2)));

__device__ inline std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
  return std::bit_cast<std::uint32_t>(
      __builtin_elementwise_min(std::bit_cast<Halves>(a), std::bit_cast<Halves>(b)));
}

__device__ inline std::uint32_t max_halves(std::uint32_t a, std::uint32_t b) {
  return std::bit_cast<std::uint32_t>(
      __builtin_elementwise_max(std::bit_cast<Halves>(a), std::bit_cast<Halves>(b)));
}

template <class Sample>
__device__ std::uint32_t sum_absolute_differences(std::uint32_t a, std::uint32_t b,
                                                  std::uint32_t sum) {
  if constexpr (sizeof(Sample) == 1) {
    return __builtin_amdgcn_sad_u8(a, b, sum);
  } else {
    return __builtin_amdgcn_sad_u16(a, b, sum);
  }
}

// Programmatic dependent launch is not supported, so these do nothing.
__device__ inline void wait_for_previous_kernel() {}
__device__ inline void launch_dependents() {}

// Ends the whole warp, after its memory accesses have reached the device's memory.
__device__ inline void exit_thread() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  __builtin_amdgcn_endpgm();
}

__device__ inline std::uint64_t clock_cycles() {
#ifdef __HIP_DEVICE_COMPILE__
  return static_cast<std::uint64_t>(clock64());
#else
  return 0;  // HIP 5 does not declare the clock when it compiles for the host.
#endif
}

// A unit of sleep is 64 cycles, about 32 ns at 2 GHz.
__device__ inline void pause(unsigned nanoseconds) {
  for (unsigned slept = 0; slept < nanoseconds; slept += 32) __builtin_amdgcn_s_sleep(1);
}

// Not called on devices without image instructions, whose Properties report no textures.
__device__ inline gpu::Vector16 fetch(hipTextureObject_t texture, int x, int y) {
#ifdef __HIP_NO_IMAGE_SUPPORT
  return {};
#else
  const auto found =
      tex2D<uint4>(texture, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  return {{found.x, found.y, found.z, found.w}};
#endif
}

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_DEVICE_CALLS_H_

// SPDX-License-Identifier: Apache-2.0

// Plain types that the three sets of GPU calls (backends/gpu/api.h) share. They depend on no
// vendor.
#ifndef MILLRACE_BACKENDS_GPU_API_TYPES_H_
#define MILLRACE_BACKENDS_GPU_API_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::gpu {

// The threads to which an atomic operation or a fence is visible. kBlock is for shared memory;
// kDevice and kSystem are for device or pinned memory.
enum class Scope { kBlock, kDevice, kSystem };

// Each order means the std::memory_order of the same name.
enum class Order { kRelaxed, kAcquire, kRelease, kAcquireRelease };

// One bit per lane, lane 0 lowest. Warps have 32 or 64 lanes.
using LaneMask = std::uint64_t;

// 16 bytes, the widest load and store of a lane.
struct alignas(16) Vector16 {
  std::uint32_t words[4];
};

// The shape of a kernel launch. `threads` is the number per block, a multiple of the warp width;
// `shared_bytes` is the size of shared_memory(). In a cooperative launch all blocks are resident at
// once, so that they may wait for each other. Other launches run blocks in any order, possibly one
// after another.
//
// `is_dependent_launch` requests programmatic dependent launch: the kernel may start while the
// previous kernel in the stream, which must be the caller's own, still runs. If the vendor supports
// it, the kernel starts when each block of the previous kernel has ended or has called
// launch_dependents(). Each of its own blocks calls wait_for_previous_kernel() before it reads
// memory that kernels of the stream write, writes memory that they use, or calls
// launch_dependents(). When that call returns, all earlier kernels have ended.
struct LaunchShape {
  int blocks = 1;
  int threads = 1;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  bool is_dependent_launch = false;
};

// The properties of a device.
struct Properties {
  std::string description;  // The vendor's name of the device.
  int multiprocessors = 0;
  int warp_width = 0;
  int max_threads_per_block = 0;
  std::size_t shared_bytes_per_block = 0;  // Largest value that a launch may request.
  std::size_t memory_bytes = 0;
  bool has_cooperative_launch = false;
  bool has_textures = false;
  std::size_t max_texture_width = 0;  // In elements of 16 bytes, of a 2-D texture on linear memory.
  std::size_t max_texture_height = 0;
  bool is_simulated = false;  // True if GPU code runs on the CPU, for tests.
};

}  // namespace millrace::gpu

#endif  // MILLRACE_BACKENDS_GPU_API_TYPES_H_

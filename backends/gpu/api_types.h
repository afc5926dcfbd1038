// SPDX-License-Identifier: Apache-2.0

// What the three sets of GPU calls (backends/gpu/api.h) have in common: plain types, no vendor.
#ifndef MILLRACE_BACKENDS_GPU_API_TYPES_H_
#define MILLRACE_BACKENDS_GPU_API_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::gpu {

// Who must see an atomic operation or a fence. Memory of kBlock is shared memory; memory of
// kDevice and kSystem is device or pinned memory.
enum class Scope { kBlock, kDevice, kSystem };

// As std::memory_order of the same names.
enum class Order { kRelaxed, kAcquire, kRelease, kAcquireRelease };

// One bit a lane, lane 0 lowest; warps have 32 or 64 lanes.
using LaneMask = std::uint64_t;

// 16 bytes, the widest load and store of a lane.
struct alignas(16) Vector16 {
  std::uint32_t words[4];
};

// What a kernel is launched with. `threads` are those of a block, a multiple of the warp width;
// `shared_bytes` those of shared_memory(). A cooperative launch has all blocks resident at once,
// so that they may wait for each other; other launches run them in any order, one after another if
// need be.
//
// One that begins early may do so while the kernel before it in the stream, the caller's own, still
// runs: where the vendor can, when each of that one's blocks has ended or has called
// let_next_begin(). Each of its own calls wait_for_kernel_before(), before it reads what kernels of
// the stream write, writes what they use, or calls let_next_begin(): then all of them have ended.
struct LaunchShape {
  int blocks = 1;
  int threads = 1;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  bool begins_early = false;
};

// What a device is and can do.
struct Properties {
  std::string description;  // The vendor's name of it.
  int multiprocessors = 0;
  int warp_width = 0;
  int max_threads_per_block = 0;
  std::size_t shared_bytes_per_block = 0;  // The most a launch may ask for.
  std::size_t memory_bytes = 0;
  bool has_cooperative_launch = false;
  bool has_textures = false;
  std::size_t max_texture_width = 0;  // In elements of 16 bytes; of a 2-D texture on linear memory.
  std::size_t max_texture_height = 0;
  bool is_simulated = false;  // GPU code that runs on the CPU, for tests.
};

}  // namespace millrace::gpu

#endif  // MILLRACE_BACKENDS_GPU_API_TYPES_H_

// SPDX-License-Identifier: Apache-2.0

// The threads, warps and shared memory of a block that is resident on a simulated GPU.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <vector>

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/fiber.h>

namespace millrace::simt {

class KernelRun;
struct BlockRun;
struct WarpRun;

constexpr int kMaxWarpWidth = 64;

// What lanes of a warp do together; kSyncBlock is what they do with the block.
enum class Meeting { kSyncBlock, kSyncWarp, kShuffle, kShuffleDown, kShuffleXor, kBallot };

// One thread of the GPU.
struct GpuThread {
  KernelRun* run = nullptr;
  BlockRun* block = nullptr;
  WarpRun* warp = nullptr;
  Fiber* fiber = nullptr;
  int index = 0;  // In its block.
  int lane = 0;
  bool has_started = false;
  bool is_waiting = false;
  bool has_ended = false;
  std::uint32_t place_in_queue = 0;  // Among the threads that can run.
};

// Where some wait for the rest. Two sets of results, because the first to leave may arrive at the
// next meeting before the last has read this one's.
struct MeetingPoint {
  int waiting = 0;
  unsigned phase = 0;
  Meeting meeting = Meeting::kSyncBlock;  // This and the next two are the first arrival's.
  std::source_location place;
  int first_thread = 0;
  char order[2] = {};  // For ThreadSanitizer: what was done before the meeting is seen after it.
};

struct WarpRun {
  GpuThread* lanes = nullptr;
  int alive = 0;
  int at_block_barrier = 0;
  int returned_thread = -1;  // One that has returned from the kernel.
  gpu::LaneMask exited = 0;
  MeetingPoint point;
  std::uint64_t values[2][kMaxWarpWidth];
  int sources[kMaxWarpWidth];
  gpu::LaneMask ballots[2];
};

struct BlockRun {
  // Takes stacks from the pool, and gives them back at its end.
  BlockRun(KernelRun& run, int index, const gpu::LaunchShape& shape, int warp_width);
  ~BlockRun();
  BlockRun(const BlockRun&) = delete;
  BlockRun& operator=(const BlockRun&) = delete;

  int index;
  int alive;
  int returned_thread = -1;
  MeetingPoint point;
  std::size_t shared_bytes;
  std::unique_ptr<char, void (*)(void*)>
      shared;  // Of exactly shared_bytes, so that ASan sees its end.
  std::vector<GpuThread> threads;
  std::vector<WarpRun> warps;
  std::vector<std::unique_ptr<Fiber>> fibers;
};

// Memory that is aligned to `alignment` and full of a pattern, as a GPU's is of what was there
// before; null when there is no room. Ends with free().
void* allocate_used_memory(std::size_t bytes, std::size_t alignment);

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_

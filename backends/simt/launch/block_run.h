// SPDX-License-Identifier: Apache-2.0

// The threads, warps and shared memory of a block that is resident on a simulated GPU.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/fiber.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <vector>

namespace millrace::simt {

class KernelRun;
struct BlockRun;
struct WarpRun;

constexpr int kMaxWarpWidth = 64;

// Collective operations of a warp's lanes; kSyncBlock is one of the whole block.
enum class Collective { kSyncBlock, kSyncWarp, kShuffle, kShuffleDown, kShuffleXor, kBallot };

// A thread of the GPU.
struct GpuThread {
  KernelRun* run = nullptr;
  BlockRun* block = nullptr;
  WarpRun* warp = nullptr;
  Fiber* fiber = nullptr;
  int index = 0;  // Index in its block.
  int lane = 0;
  bool has_started = false;
  bool is_waiting = false;
  bool has_ended = false;
  std::uint32_t queue_index = 0;  // Index among the threads that can run.
};

// State of a barrier or collective at which some threads wait for the rest. There are two sets of
// results, because the first thread to leave may arrive at the next collective before the last has
// read the results of this one.
struct BarrierPoint {
  int waiting = 0;
  unsigned phase = 0;
  // This and the next two members are those of the first thread to arrive.
  Collective collective = Collective::kSyncBlock;
  std::source_location location;
  int first_thread = 0;
  // ThreadSanitizer needs it: orders accesses before the barrier before accesses after it.
  char order[2] = {};
};

struct WarpRun {
  GpuThread* lanes = nullptr;
  int alive = 0;
  int at_block_barrier = 0;
  int returned_thread = -1;  // A lane that has returned from the kernel.
  gpu::LaneMask exited = 0;
  BarrierPoint point;
  std::uint64_t values[2][kMaxWarpWidth];
  int sources[kMaxWarpWidth];
  gpu::LaneMask ballots[2];
};

struct BlockRun {
  // Takes stacks from the pool; the destructor gives them back.
  BlockRun(KernelRun& run, int index, const gpu::LaunchShape& shape, int warp_width);
  ~BlockRun();
  BlockRun(const BlockRun&) = delete;
  BlockRun& operator=(const BlockRun&) = delete;

  int index;
  int alive;
  int returned_thread = -1;
  BarrierPoint point;
  std::size_t shared_bytes;
  // Has exactly shared_bytes, so that ASan detects accesses behind it.
  std::unique_ptr<char, void (*)(void*)> shared;
  std::vector<GpuThread> threads;
  std::vector<WarpRun> warps;
  std::vector<std::unique_ptr<Fiber>> fibers;
};

// Returns memory aligned to `alignment` and filled with a pattern, since a GPU's memory is not zero
// either. Returns null if memory is short. The caller releases it with free().
void* allocate_used_memory(std::size_t bytes, std::size_t alignment);

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_BLOCK_RUN_H_

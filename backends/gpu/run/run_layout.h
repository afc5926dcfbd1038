// SPDX-License-Identifier: Apache-2.0

// The launch shapes of a run's kernels, and the layout of the task memory.
#ifndef MILLRACE_BACKENDS_GPU_RUN_RUN_LAYOUT_H_
#define MILLRACE_BACKENDS_GPU_RUN_RUN_LAYOUT_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/run/memory_cutter.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::MILLRACE_GPU {

// Returns the number of blocks: as many as are resident, but not more than have their scratch, if
// it is in device memory, in a sixteenth of that.
inline int blocks_of(const gpu::Properties& device, int resident, std::size_t block_scratch) {
  constexpr auto kMax = static_cast<int>(ArrivalWord<1>::kMaxBlocks);
  const int blocks = std::min(resident * device.multiprocessors, kMax);
  if (block_scratch == 0) return blocks;
  const std::size_t most = device.memory_bytes / 16 / block_scratch;
  return static_cast<int>(std::clamp<std::size_t>(most, 1, blocks));
}

// Returns the largest grid of resident blocks, of up to `threads` threads, that the kernel can
// have, with at most `most` blocks per multiprocessor and `thread_bytes` of shared memory for each
// thread beside the workers'. Throws kUnsupported if not even one warp fits.
template <class Set, class Kernel>
LaunchGrid make_grid(const gpu::Properties& device, Kernel kernel, int threads, int most,
                     std::size_t thread_bytes) {
  if (kBlockWorkers<Set>) threads = std::min(threads, BlockThreads::kBlockWide);
  threads = std::min(threads, device.max_threads_per_block);
  for (; threads >= device.warp_width;
       threads = threads / 2 / device.warp_width * device.warp_width) {
    const int lanes = worker_lanes<Set>(threads, device.warp_width);
    const WorkerLayout<Set> layout(lanes, device.warp_width);
    const int workers = threads / lanes;
    const std::size_t without = WorkerLayout<Set>::kBlockBytes + workers * layout.worker_bytes() +
                                static_cast<std::size_t>(threads) * thread_bytes;
    const std::size_t with = without + workers * layout.scratch_bytes();
    // Scratch that does not fit is in device memory, where it is cached.
    const bool is_shared = kSharesScratch<Set> || with <= device.shared_bytes_per_block;
    const std::size_t shared = is_shared ? with : without;
    if (shared > device.shared_bytes_per_block) continue;
    const int resident = std::min(resident_blocks(kernel, threads, shared), most);
    if (resident == 0) continue;
    const std::size_t scratch = is_shared ? 0 : workers * layout.scratch_bytes();
    const int blocks = blocks_of(device, resident, scratch);
    return {{.blocks = blocks, .threads = threads, .shared_bytes = shared, .cooperative = false},
            blocks * workers,
            blocks * scratch};
  }
  throw Error(ErrorCode::kUnsupported,
              "a warp's queues for this task set do not fit into the shared memory of " +
                  device.description + ", " + std::to_string(device.shared_bytes_per_block) +
                  " bytes; make its tasks smaller or its types fewer");
}

// Returns a pool in up to `bytes` of the memory. Each of the two `chunk_list` arrays gets one more
// word per chunk.
template <class Set>
ChunkPool make_pool(RunBuffers& buffers, MemoryCutter& memory, std::size_t bytes, int lanes,
                    int warp_width, std::uint32_t* (&chunk_list)[2]) {
  const WorkerLayout<Set> layout(lanes, warp_width);
  const std::uint32_t chunk_words = layout.chunk_words();
  // A chunk's words, two words in links, and one in each of the two lists. The pieces are rounded
  // up.
  constexpr std::size_t kRounding = 4 * 128 + sizeof(std::uint64_t);
  const std::size_t chunk_bytes = sizeof(std::uint32_t) * (chunk_words + std::size_t{4});
  const std::size_t most = bytes > kRounding ? (bytes - kRounding) / chunk_bytes : 0;
  const auto chunks = static_cast<std::uint32_t>(std::min<std::size_t>(most, UINT32_MAX / 2));
  auto* const words = memory.take<std::uint32_t>(std::size_t{chunks} * chunk_words);
  auto* const links = memory.take<std::uint64_t>(chunks + std::size_t{1});
  for (auto& list : chunk_list) list = memory.take<std::uint32_t>(chunks);
  return ChunkPool(
      {.words = words, .chunk_words = chunk_words, .chunks = most > 0 ? chunks : 0, .links = links},
      buffers.used_chunks(), buffers.shards(), buffers.shard_count());
}

// Divides the task memory: an eighth for chunks, the rest for arrays of equal size. Waves of any
// size may run.
template <class Set>
ChunkPool make_wave_memory(RunBuffers& buffers, int lanes, int warp_width, WaveMemory& waves) {
  MemoryCutter memory(buffers.task_memory(), buffers.task_bytes());
  const ChunkPool pool = make_pool<Set>(buffers, memory, buffers.task_bytes() / 8, lanes,
                                        warp_width, waves.chunk_list);
  const std::size_t array_bytes = memory.left() / (2 * Set::kTypes) / 128 * 128;
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    const std::size_t task_bytes =
        sizeof(std::uint32_t) * task_words<Set>(static_cast<TaskTag>(tag));
    const std::size_t groups =
        std::min<std::size_t>(array_bytes / (32 * task_bytes), UINT32_MAX / 64);
    waves.most[tag] = UINT32_MAX;
    for (std::size_t i = 0; i < 2; ++i) {
      waves.capacity[i][tag] = static_cast<std::uint32_t>(32 * groups);
      waves.arrays[i][tag] =
          memory.take<std::uint32_t>(32 * groups * task_bytes / sizeof(std::uint32_t));
    }
  }
  return pool;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_RUN_LAYOUT_H_

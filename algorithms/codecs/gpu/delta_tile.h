// SPDX-License-Identifier: Apache-2.0

// State of a tile that the kernels of the delta codec share.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_DELTA_TILE_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_DELTA_TILE_H_

#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/gpu/staged_block.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/algorithms/codecs/gpu/warp_blocks.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

static_assert(kTileIntegers == codecs::kTileValues && kBlocksPerTile == codecs::kTileBlocks);

// The tile of a block of threads, in shared memory.
template <class T>
struct DeltaTile {
  std::uint64_t tile;
  std::uint64_t position;  // Counted in units from the first tile.
  // Start of each block's words in the tile, in units.
  std::uint32_t starts[codecs::kTileBlocks + 1];
  std::uint32_t is_good;
  T sums[codecs::kTileBlocks];
  StagedBlock<T> staged[kMostTileWarps];
};

// Sets the starts from the widths of the caller's lanes and returns the sum of the widths; called
// by the first warp.
template <class T>
MILLRACE_FUNCTION std::uint32_t set_starts(DeltaTile<T>& memory, int width) {
  const int lane = lane_index();
  const std::uint32_t end = inclusive_sum(static_cast<std::uint32_t>(width));
  if (lane < codecs::kTileBlocks) memory.starts[lane + 1] = end;
  if (lane == 0) memory.starts[0] = 0;
  return shuffle(end, codecs::kTileBlocks - 1);
}

template <class T, class Body>
void launch_tiles(GpuQueue& queue, const Body& body) {
  const gpu::LaunchShape shape{
      .blocks = static_cast<int>(codecs::DeltaFormat<T>::tiles(body.count)),
      .threads = kTileThreads,
      .shared_bytes = sizeof(DeltaTile<T>),
      .cooperative = false};
  launch(&body_kernel<Body>, shape, queue.stream(), body);
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_DELTA_TILE_H_

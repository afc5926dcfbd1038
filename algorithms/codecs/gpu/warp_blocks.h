// SPDX-License-Identifier: Apache-2.0

// The blocks of bit_packing.h that a warp codes: a block of threads codes a tile of 32, each warp
// one at a time.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_WARP_BLOCKS_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_WARP_BLOCKS_H_

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

// Number of packed blocks of a tile.
inline constexpr int kBlocksPerTile = 32;
inline constexpr int kTileIntegers = kBlocksPerTile * codecs::kBlockValues;

// Number of a tile's integers in the registers of a thread.
inline constexpr int kValuesPerThread = kTileIntegers / kTileThreads;

// Number of tiles that a multiprocessor holds at once; its registers do not suffice for more.
template <class T>
inline constexpr int kTilesHeld = sizeof(T) == 4 ? 8 : 4;

// The blocks of a tile that a warp processes: its own index and every multiple of the number of
// warps after it.
struct WarpBlocks {
  int first = thread_index() / warp_width();
  int step = kTileThreads / warp_width();

  MILLRACE_FUNCTION int count() const { return kBlocksPerTile / step; }
  MILLRACE_FUNCTION int block(int index) const { return first + index * step; }
};

MILLRACE_FUNCTION inline int values_per_lane() { return codecs::kBlockValues / warp_width(); }

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_WARP_BLOCKS_H_

// SPDX-License-Identifier: Apache-2.0

// Blocks of bit_packing.h on GPUs: a block of threads has 32 of them, and a warp one at a time.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_PACKED_BLOCKS_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_PACKED_BLOCKS_H_

#include <cstddef>
#include <cstdint>

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

// A tile: what a block of threads has.
inline constexpr int kBlocksPerTile = 32;
inline constexpr int kTileIntegers = kBlocksPerTile * codecs::kBlockValues;

// Of a tile's integers, in registers.
inline constexpr int kValuesPerThread = kTileIntegers / kTileThreads;

// Tiles that a multiprocessor is to work on at once: more would not have the registers.
template <class T>
inline constexpr int kTilesHeld = sizeof(T) == 4 ? 8 : 4;

// The blocks of a tile that a warp takes: its own number, and every so many more.
struct WarpBlocks {
  int first = thread_index() / warp_width();
  int step = kTileThreads / warp_width();

  MILLRACE_FUNCTION int count() const { return kBlocksPerTile / step; }
  MILLRACE_FUNCTION int block(int index) const { return first + index * step; }
};

MILLRACE_FUNCTION inline int values_per_lane() { return codecs::kBlockValues / warp_width(); }

// The integers of a warp's block in shared memory: eight rows and then a gap of one, so that lanes
// that read words of one block at once find them in different banks.
template <class T>
class StagedBlock {
 public:
  MILLRACE_FUNCTION T& operator[](int i) {
    return values_[i + i / (8 * codecs::kStreams<T>)*codecs::kStreams<T>];
  }

  // All lanes call, with the integers there and sync_warp() behind them, and call it again before
  // others come.
  MILLRACE_FUNCTION void pack(T* words, int width) {
    for (int word = lane_index(); word < width * codecs::kStreams<T>; word += warp_width()) {
      words[word] = codecs::packed_word<T>([this](int i) { return (*this)[i]; }, width, word);
    }
  }

 private:
  alignas(16) T values_[codecs::kBlockValues + codecs::kBlockValues / 8];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_PACKED_BLOCKS_H_

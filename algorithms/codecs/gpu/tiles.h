// SPDX-License-Identifier: Apache-2.0

// Pieces shared by the codecs' kernels: the size of blocks, sums over a warp, and the positions of
// tiles of different sizes in one pass.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_TILES_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_TILES_H_

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/algorithms/codecs/tile_directory.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Threads of the block that codes a tile; every device supports this number.
inline constexpr int kTileThreads = 128;

// Largest number of warps of such a block.
inline constexpr int kMostTileWarps = kTileThreads / 32;

template <class T>
MILLRACE_FUNCTION T warp_or(T value) {
  for (int step = 1; step < warp_width(); step *= 2) value |= shuffle_xor(value, step);
  return value;
}

MILLRACE_FUNCTION inline void set_error(CodecResult* result, CodecError error) {
  atomic_store<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&result->error_word,
                                                          static_cast<std::uint32_t>(error));
}

// The chunk that an encoder writes.
struct TiledChunk {
  std::byte* coded;
  codecs::CodedHeader header;  // Its `bytes` are not set.
  std::uint64_t tiles;
  CodecResult* result;
};

// Enters a tile that occupies the units begin..end-1 of a chunk in the directory. With the last
// tile writes the header, whose `bytes` it sets, and the result. Called by one thread.
MILLRACE_FUNCTION inline void enter_tile(TiledChunk chunk, std::uint64_t tile, std::uint64_t begin,
                                         std::uint64_t end) {
  const std::uint64_t tiles = chunk.tiles;
  std::uint32_t* const directory = codecs::tile_directory(chunk.coded);
  directory[tile] = static_cast<std::uint32_t>(begin);
  if (tile + 1 < tiles) return;
  directory[tiles] = static_cast<std::uint32_t>(end);
  auto* const first_tile =
      reinterpret_cast<std::uint32_t*>(chunk.coded + codecs::directory_end(tiles));
  for (std::uint32_t* zero = directory + tiles + 1; zero < first_tile; ++zero) *zero = 0;
  chunk.header.bytes = end * codecs::kCodedUnit;
  *reinterpret_cast<codecs::CodedHeader*>(chunk.coded) = chunk.header;
  chunk.result->bytes = chunk.header.bytes;
}

// Computes the positions of tiles whose sizes become known as they are encoded: each tile adds the
// sizes of those before it (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back", 2016). Blocks draw their tiles in order, so those before theirs are in progress.
class TilePositions {
 public:
  // Number of words of `memory`, device memory set to 0.
  MILLRACE_FUNCTION static constexpr std::size_t words(std::size_t tiles) { return tiles + 1; }

  MILLRACE_FUNCTION explicit TilePositions(std::uint64_t* memory) : memory_(memory) {}

  // Draws the next tile; called by one thread of a block.
  MILLRACE_FUNCTION std::uint64_t draw() const {
    return atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(memory_, std::uint64_t{1});
  }

  // Returns the sum of the sizes of all tiles before `tile`, which has size `size`; all lanes of
  // one warp call it.
  MILLRACE_FUNCTION std::uint64_t position(std::uint64_t tile, std::uint64_t size) const {
    if (tile > 0) publish(tile, kOwnSize | size);
    std::uint64_t before = 0;
    for (std::uint64_t end = tile; end > 0;) {
      const auto lane = static_cast<std::uint64_t>(lane_index());
      const bool has_tile = lane < end;
      const std::uint64_t state = states_before(end);
      const gpu::LaneMask sums = ballot(has_tile && (state & kSum) != 0);
      // The first sum already includes those of further lanes.
      const gpu::LaneMask first_sum = sums & (~sums + 1);
      const bool counts = has_tile && (sums == 0 || (gpu::LaneMask{1} << lane) <= first_sum);
      before += warp_sum(counts ? state & kValue : 0);
      const auto width = static_cast<std::uint64_t>(warp_width());
      end = sums != 0 || end < width ? 0 : end - width;
    }
    publish(tile, kSum | (before + size));
    return before;
  }

 private:
  static constexpr std::uint64_t kOwnSize = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kSum = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kValue = kOwnSize - 1;

  MILLRACE_FUNCTION static std::uint64_t warp_sum(std::uint64_t value) {
    for (int step = 1; step < warp_width(); step *= 2) value += shuffle_xor(value, step);
    return value;
  }

  // Returns the states of the tiles before `end`, the last one to lane 0, once all are published;
  // lanes wait together.
  MILLRACE_FUNCTION std::uint64_t states_before(std::uint64_t end) const {
    const auto lane = static_cast<std::uint64_t>(lane_index());
    for (;;) {
      const std::uint64_t state =
          lane < end ? atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(memory_ + end - lane)
                     : kSum;
      if (ballot(state == 0) == 0) return state;
      pause(20);
    }
  }

  // The word itself carries all information, so relaxed order suffices.
  MILLRACE_FUNCTION void publish(std::uint64_t tile, std::uint64_t state) const {
    if (lane_index() != 0) return;
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(memory_ + 1 + tile, state);
  }

  std::uint64_t* memory_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_TILES_H_

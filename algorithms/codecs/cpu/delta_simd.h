// SPDX-License-Identifier: Apache-2.0

// Tiles of the delta codec (delta_format.h) on one CPU thread, with the processor's best SIMD
// instructions. For code that has threads of its own, such as one that decodes a chunk while it
// arrives.
//
//   const DeltaChunk<std::uint32_t> chunk(bytes, count);
//   for (std::size_t t = 0; t < chunk.tiles(); ++t) {            // In any order, on any threads.
//     if (!decode_tile(chunk.tile(t), chunk.values_of(t, out), Stores::kStreaming)) ...
//   }
//
// T is std::uint32_t or std::uint64_t. The functions keep no state, so any thread may call them.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_DELTA_SIMD_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_DELTA_SIMD_H_

#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/backends/cpu/host/stores.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::codecs {

using cpu::Stores;

// Largest size of a tile in bytes.
template <class T>
inline constexpr std::size_t kMostTileBytes =
    sizeof(TileHead) + kTileBlocks* packed_block_bytes(kWordBits<T>);

// Writes the tile of at most 4,096 integers. Returns its size in bytes, at most kMostTileBytes<T>.
// `tile` is aligned as T.
template <class T>
std::size_t encode_tile(std::span<const T> values, std::byte* tile);

// Decodes a tile of values.size() integers. Returns true if the tile is intact; if not, the
// contents of `values` are unspecified. Accesses nothing outside of the two arrays, whatever the
// bytes are. kStreaming has an effect only if `values` is aligned to 64 bytes.
template <class T>
bool decode_tile(std::span<const std::byte> tile, std::span<T> values, Stores stores);

// A view of a coded chunk by tiles.
template <class T>
class DeltaChunk {
 public:
  // Throws kInvalidArgument if the header is not that of a chunk of `count` integers, or the chunk
  // does not begin at a multiple of 16.
  DeltaChunk(std::span<const std::byte> coded, std::size_t count);

  std::size_t tiles() const { return DeltaFormat<T>::tiles(count_); }

  // Returns a tile. It is empty, which decode_tile() rejects, if the directory is damaged.
  std::span<const std::byte> tile(std::size_t index) const {
    const TileRange range = delta_tile_range<T>(coded_.data(), coded_.size(), count_, index);
    return coded_.subspan(range.begin, range.bytes);
  }

  // Returns the number of integers in a tile.
  std::size_t values_in(std::size_t index) const {
    return static_cast<std::size_t>(DeltaFormat<T>::tile_values(count_, index));
  }

  // Returns the tile's range of the chunk's integers.
  std::span<T> values_of(std::size_t index, T* values) const {
    return {values + index * kTileValues, values_in(index)};
  }

 private:
  std::span<const std::byte> coded_;
  std::size_t count_;
};

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_DELTA_SIMD_H_

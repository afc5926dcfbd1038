// SPDX-License-Identifier: Apache-2.0

// Chunks made of tiles whose sizes are not known beforehand: a directory behind the header.
//
//   byte  bytes
//     32  4 x (tiles + 1)  start of each tile, and end of the last one, in units of 16 bytes from
//                          the beginning of the chunk
//               zeros up to a multiple of 16
//               tile after tile without gaps; the last one ends with the chunk
#ifndef MILLRACE_ALGORITHMS_CODECS_TILE_DIRECTORY_H_
#define MILLRACE_ALGORITHMS_CODECS_TILE_DIRECTORY_H_

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::codecs {

MILLRACE_FUNCTION inline std::uint32_t* tile_directory(std::byte* coded) {
  return reinterpret_cast<std::uint32_t*>(coded + sizeof(CodedHeader));
}
MILLRACE_FUNCTION inline const std::uint32_t* tile_directory(const std::byte* coded) {
  return reinterpret_cast<const std::uint32_t*>(coded + sizeof(CodedHeader));
}

// Returns the offset of the first tile.
MILLRACE_FUNCTION constexpr std::size_t directory_end(std::size_t tiles) {
  return round_up_to_unit(sizeof(CodedHeader) + sizeof(std::uint32_t) * (tiles + 1));
}

// Position of a tile's bytes in its chunk.
struct TileRange {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;  // 0: the directory is damaged.
};

// Returns the position of tile `tile` of a chunk of `bytes` bytes, at least directory_end(tiles),
// if the tile has at least `least` bytes.
MILLRACE_FUNCTION inline TileRange tile_range(const std::byte* coded, std::uint64_t bytes,
                                              std::uint64_t tiles, std::uint64_t tile,
                                              std::uint64_t least) {
  const std::uint64_t begin = tile_directory(coded)[tile] * std::uint64_t{kCodedUnit};
  const std::uint64_t end = tile_directory(coded)[tile + 1] * std::uint64_t{kCodedUnit};
  const std::uint64_t first = directory_end(tiles);
  const bool begins_well = tile == 0 ? begin == first : begin > first;
  const bool ends_well = tile + 1 == tiles ? end == bytes : end < bytes;
  if (!begins_well || !ends_well || end < begin + least) return {};
  return {begin, end - begin};
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_TILE_DIRECTORY_H_

// SPDX-License-Identifier: Apache-2.0

// Delta + bit packing of sorted integers: the format, byte by byte.
//
// T is std::uint32_t or std::uint64_t. A chunk of `count` integers is cut into tiles of 4,096 (at
// least one tile, the last may be short), each of which is decoded without the others:
//
//   byte  bytes
//      0     32  header (coded_header.h), kind kDelta32 or kDelta64
//     32         directory of the tiles, and the tiles (tile_directory.h)
//
// A tile:
//
//      0      8  its first integer, for u32 with four zeros behind it; 0 if the tile is empty
//      8      8  its last integer likewise
//     16     32  bit widths of its 32 blocks, 0 to 32 (or 64); 0 for blocks past the end
//     48         the blocks' packed bits (bit_packing.h), one after another
//
// A block holds 128 differences, each integer minus the one before it modulo 2^32 (or 2^64), in as
// many bits as the largest needs. The first of a tile, and those past the end, are 0. Integers that
// are not sorted are coded as well, without becoming smaller.
//
// A decoder checks the header, that tiles lie in the chunk and are as large as their widths say,
// and that the last integer matches.
#ifndef MILLRACE_ALGORITHMS_CODECS_DELTA_FORMAT_H_
#define MILLRACE_ALGORITHMS_CODECS_DELTA_FORMAT_H_

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/algorithms/codecs/tile_directory.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace::codecs {

inline constexpr std::size_t kTileValues = 4096;
inline constexpr int kTileBlocks = static_cast<int>(kTileValues) / kBlockValues;

struct TileHead {
  std::uint64_t first;
  std::uint64_t last;
  std::uint8_t widths[kTileBlocks];
};
static_assert(sizeof(TileHead) == 48);

template <class T>
struct DeltaFormat {
  using Item = T;
  static constexpr std::string_view kName = sizeof(T) == 4 ? "delta-u32" : "delta-u64";
  static constexpr CodedKind kKind = sizeof(T) == 4 ? CodedKind::kDelta32 : CodedKind::kDelta64;

  MILLRACE_FUNCTION static constexpr std::size_t tiles(std::size_t count) {
    return count == 0 ? 1 : (count + kTileValues - 1) / kTileValues;
  }

  // Returns the number of integers of a tile.
  MILLRACE_FUNCTION static constexpr int tile_values(std::size_t count, std::size_t tile) {
    const std::size_t left = count - tile * kTileValues;
    return static_cast<int>(left < kTileValues ? left : kTileValues);
  }

  // Returns the offset of the first tile.
  MILLRACE_FUNCTION static constexpr std::size_t first_tile(std::size_t count) {
    return directory_end(tiles(count));
  }

  static constexpr std::size_t max_coded_bytes(std::size_t count) {
    const std::size_t blocks = (count + kBlockValues - 1) / kBlockValues;
    return first_tile(count) + tiles(count) * sizeof(TileHead) +
           blocks * packed_block_bytes(kWordBits<T>);
  }

  // One word per tile, and one more.
  static constexpr std::size_t scratch_bytes(std::size_t count) {
    return sizeof(std::uint64_t) * (tiles(count) + 1);
  }
};

// Returns true if the header is that of a chunk of `bytes` bytes and `count` integers; reads the
// header alone.
template <class T>
MILLRACE_FUNCTION bool has_delta_header(const std::byte* coded, std::uint64_t bytes,
                                        std::uint64_t count) {
  using Format = DeltaFormat<T>;
  return has_header(coded, bytes, Format::kKind, count, 0,
                    Format::first_tile(count) + Format::tiles(count) * sizeof(TileHead)) &&
         bytes % kCodedUnit == 0;
}

// Returns the position of a tile in a chunk for which has_delta_header() is true.
template <class T>
MILLRACE_FUNCTION TileRange delta_tile_range(const std::byte* coded, std::uint64_t bytes,
                                             std::uint64_t count, std::uint64_t tile) {
  return tile_range(coded, bytes, DeltaFormat<T>::tiles(count), tile, sizeof(TileHead));
}

// Returns true if the widths of a tile of `values` integers are ones that an encoder writes, and
// take `bytes` bytes together with the head.
template <class T>
MILLRACE_FUNCTION bool has_good_widths(const TileHead& head, int values, std::uint64_t bytes) {
  std::size_t expected = sizeof(TileHead);
  const int blocks = (values + kBlockValues - 1) / kBlockValues;
  bool good = true;
  for (int block = 0; block < kTileBlocks; ++block) {
    const int width = head.widths[block];
    good &= width <= (block < blocks ? kWordBits<T> : 0);
    expected += packed_block_bytes(width);
  }
  return good && expected == bytes;
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_DELTA_FORMAT_H_

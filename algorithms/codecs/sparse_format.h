// SPDX-License-Identifier: Apache-2.0

// Blocks of 256 integers of 16 bits, most of which are 0, such as the dequantised coefficients of a
// macroblock (algorithms/idct/macroblock.h): the format, byte by byte.
//
//   byte  bytes
//      0     32  header (coded_header.h), kind kSparse16
//     32         directory of the tiles, and the tiles (tile_directory.h)
//
// A tile of 32 blocks (at least one tile; the last may be short):
//
//      0     64  end of each block's bytes, in units of 2 bytes from the beginning of the tile; a
//                block begins where the one before it ends, the first at byte 96; blocks past the
//                end have no bytes
//     64     32  shift of each block, 0 to 15; 0 for blocks past the end
//     96         the blocks, then zeros up to a multiple of 16
//
// A block is 16 rows of 16 integers. One of zeros alone has no bytes, any other:
//
//              2  mask of the rows that are not all zero, the first row lowest
//          2 x r  for each of those r rows the mask of its integers that are not zero, the first
//                 lowest
//              n  each of those integers / 2^shift, if that is between -127 and 127, else -128
//         0 or 1  a zero if n is odd
//          2 x e  the integers written as -128
//
// with the largest shift that divides all of a block's integers; its shift is 0 if it has no bytes.
//
// A decoder checks the header, that tiles and blocks lie within their bounds, and that each block
// is as long as its masks and escapes say.
#ifndef MILLRACE_ALGORITHMS_CODECS_SPARSE_FORMAT_H_
#define MILLRACE_ALGORITHMS_CODECS_SPARSE_FORMAT_H_

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/algorithms/codecs/tile_directory.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace::codecs {

inline constexpr int kSparseValues = 256;
inline constexpr int kSparseRow = 16;
inline constexpr int kSparseTileBlocks = 32;

struct alignas(16) CoefficientBlock {
  std::int16_t values[kSparseValues];
};

struct SparseTileHead {
  std::uint16_t ends[kSparseTileBlocks];
  std::uint8_t shifts[kSparseTileBlocks];
};
static_assert(sizeof(SparseTileHead) == 96);

// Largest size of a block in bytes.
inline constexpr std::size_t kMostSparseBlock = 2 + 2 * kSparseRow + 3 * kSparseValues;

// Largest size of a tile in bytes.
inline constexpr std::size_t kMostSparseTile =
    round_up_to_unit(sizeof(SparseTileHead) + kSparseTileBlocks * kMostSparseBlock);

struct SparseFormat {
  using Item = CoefficientBlock;
  static constexpr std::string_view kName = "sparse-i16";
  static constexpr CodedKind kKind = CodedKind::kSparse16;

  MILLRACE_FUNCTION static constexpr std::size_t tiles(std::size_t count) {
    return count == 0 ? 1 : (count + kSparseTileBlocks - 1) / kSparseTileBlocks;
  }

  // Returns the number of blocks of a tile.
  MILLRACE_FUNCTION static constexpr int tile_blocks(std::size_t count, std::size_t tile) {
    const std::size_t left = count - tile * kSparseTileBlocks;
    return static_cast<int>(left < kSparseTileBlocks ? left : kSparseTileBlocks);
  }

  static constexpr std::size_t max_coded_bytes(std::size_t count) {
    return directory_end(tiles(count)) + tiles(count) * (sizeof(SparseTileHead) + kCodedUnit) +
           count * kMostSparseBlock;
  }

  // One word per tile, and one more.
  static constexpr std::size_t scratch_bytes(std::size_t count) {
    return sizeof(std::uint64_t) * (tiles(count) + 1);
  }

  // Returns true if the header is that of a chunk of `bytes` bytes and `count` blocks; reads the
  // header alone.
  MILLRACE_FUNCTION static bool has_header(const std::byte* coded, std::uint64_t bytes,
                                           std::uint64_t count) {
    const std::uint64_t least = directory_end(tiles(count)) + tiles(count) * sizeof(SparseTileHead);
    return bytes % kCodedUnit == 0 && codecs::has_header(coded, bytes, kKind, count, 0, least);
  }

  // Returns the position of a tile in a chunk for which has_header() is true.
  MILLRACE_FUNCTION static TileRange tile_range(const std::byte* coded, std::uint64_t bytes,
                                                std::uint64_t count, std::uint64_t tile) {
    return codecs::tile_range(coded, bytes, tiles(count), tile, sizeof(SparseTileHead));
  }
};

// Position of a block relative to the beginning of its tile.
struct SparsePosition {
  std::uint32_t begin = 0;
  std::uint32_t bytes = 0;
  bool is_good = false;
};

MILLRACE_FUNCTION inline SparsePosition sparse_position(const SparseTileHead& head, int block,
                                                        std::uint64_t tile_bytes) {
  const std::uint32_t begin =
      block == 0 ? std::uint32_t{sizeof(SparseTileHead)} : 2 * std::uint32_t{head.ends[block - 1]};
  const std::uint32_t end = 2 * std::uint32_t{head.ends[block]};
  const bool is_good = begin >= sizeof(SparseTileHead) && begin <= end && end <= tile_bytes &&
                       head.shifts[block] < 16;
  return {begin, is_good ? end - begin : 0, is_good};
}

// Returns the size in bytes of a block that is not all zero.
MILLRACE_FUNCTION constexpr std::uint32_t sparse_bytes(std::uint32_t rows, std::uint32_t values,
                                                       std::uint32_t escapes) {
  return 2 + 2 * rows + values + values % 2 + 2 * escapes;
}

// Written in place of an integer that does not fit a byte.
inline constexpr int kEscape = -128;

MILLRACE_FUNCTION constexpr bool is_escaped(int value, int shift) {
  return value >> shift < -127 || value >> shift > 127;
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_SPARSE_FORMAT_H_

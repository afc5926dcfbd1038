// SPDX-License-Identifier: Apache-2.0

// Tiles of the sparse codec (sparse_format.h) on one CPU thread, for code that has threads of its
// own. The functions keep no state, so any thread may call them.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_

#include <millrace/algorithms/codecs/sparse_format.h>

#include <cstddef>
#include <span>

namespace millrace::codecs {

// Writes the tile of at most 32 blocks. Returns its size in bytes, at most kMostSparseTile.
std::size_t encode_sparse_tile(std::span<const CoefficientBlock> blocks, std::byte* tile);

// Decodes a tile of blocks.size() blocks. Returns true if the tile is intact; if not, the contents
// of `blocks` are unspecified. Accesses nothing outside of the two arrays, whatever the bytes are.
bool decode_sparse_tile(std::span<const std::byte> tile, std::span<CoefficientBlock> blocks);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_

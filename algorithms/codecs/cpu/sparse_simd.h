// SPDX-License-Identifier: Apache-2.0

// Tiles of the sparse codec (sparse_format.h) on one CPU thread, for code that has threads of its
// own. The functions keep no state: any thread may call them.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_

#include <millrace/algorithms/codecs/sparse_format.h>

#include <cstddef>
#include <span>

namespace millrace::codecs {

// Writes the tile of at most 32 blocks, at most kMostSparseTile bytes, and returns how many.
std::size_t encode_sparse_tile(std::span<const CoefficientBlock> blocks, std::byte* tile);

// Decodes a tile of blocks.size() blocks; whether it is intact. Reads and writes nothing outside of
// the two, whatever the bytes are; `blocks` holds anything after a false.
bool decode_sparse_tile(std::span<const std::byte> tile, std::span<CoefficientBlock> blocks);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_SPARSE_SIMD_H_

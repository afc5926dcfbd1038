// SPDX-License-Identifier: Apache-2.0

// Loops over the tiles of a chunk on the CPU, shared by the codecs.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::codecs {

// Calls work(tile) for every tile, in an operation of `threads`.
void for_each_tile(cpu::CpuThreads& threads, std::size_t tiles,
                   const std::function<void(std::size_t tile)>& work);

// Encodes the tiles of a chunk with a directory (tile_directory.h).
struct TileEncoder {
  std::size_t tiles;
  std::size_t most_tile_bytes;
  CodedHeader header;  // Its `bytes` are set after the tiles are encoded.

  // Writes a tile and returns its size in bytes, a multiple of 16. Must not throw.
  std::function<std::size_t(std::size_t tile, std::byte* to)> encode;
};

// Encodes a chunk, in an operation of `threads`. Sets result->bytes, or leaves it unchanged if the
// chunk does not fit. The items are read once; chunk.scratch has a word per tile and one more.
void encode_tiles(cpu::CpuThreads& threads, const TileEncoder& encoder, const EncodeChunk& chunk);

inline void set_error(CodecResult* result, CodecError error) {
  result->error_word = static_cast<std::uint32_t>(error);
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_

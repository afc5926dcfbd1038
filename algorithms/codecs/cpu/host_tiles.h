// SPDX-License-Identifier: Apache-2.0

// What the codecs share on the CPU.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/algorithms/codecs/cpu/stores.h>
#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/stream/codec.h>

namespace millrace::codecs {

// Calls work(tile) for every tile, in an operation of `threads`.
void for_each_tile(cpu::CpuThreads& threads, std::size_t tiles,
                   const std::function<void(std::size_t tile)>& work);

// How the tiles of a chunk with a directory (tile_directory.h) are made.
struct TileEncoder {
  std::size_t tiles;
  std::size_t most_tile_bytes;
  CodedHeader header;  // Its `bytes` become known.

  // Writes a tile, and returns how many bytes it has, a multiple of 16. Must not throw.
  std::function<std::size_t(std::size_t tile, std::byte* to)> encode;
};

// Encodes a chunk, in an operation of `threads`: sets result->bytes, or leaves it
// where the chunk does not fit. The items are read once; chunk.scratch has a word for each tile and
// one more.
void encode_tiles(cpu::CpuThreads& threads, const TileEncoder& encoder, const EncodeChunk& chunk);

// What pays for an output of so many bytes.
Stores stores_for(std::size_t output_bytes);

inline void set_error(CodecResult* result, CodecError error) {
  result->error_word = static_cast<std::uint32_t>(error);
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_HOST_TILES_H_

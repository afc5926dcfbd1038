// SPDX-License-Identifier: Apache-2.0

// The sparse codec on the CPU: all threads of the queue code tiles.
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/cpu/host_tiles.h>
#include <millrace/algorithms/codecs/cpu/sparse_simd.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <atomic>
#include <cstddef>
#include <span>

namespace millrace::codecs {
namespace {

template <class Block>
std::span<Block> blocks_of(Block* blocks, std::size_t count, std::size_t tile) {
  return {blocks + tile * kSparseTileBlocks,
          static_cast<std::size_t>(SparseFormat::tile_blocks(count, tile))};
}

void encode(cpu::CpuThreads& threads, const EncodeChunk& chunk) {
  const auto* const items = static_cast<const CoefficientBlock*>(chunk.items);
  encode_tiles(threads,
               {.tiles = SparseFormat::tiles(chunk.count),
                .most_tile_bytes = kMostSparseTile,
                .header = make_header(SparseFormat::kKind, chunk.count, 0),
                .encode =
                    [&](std::size_t tile, std::byte* to) {
                      return encode_sparse_tile(blocks_of(items, chunk.count, tile), to);
                    }},
               chunk);
}

bool decode(cpu::CpuThreads& threads, const DecodeChunk& chunk) {
  if (!SparseFormat::has_header(chunk.coded, chunk.bytes, chunk.count)) return false;
  auto* const items = static_cast<CoefficientBlock*>(chunk.items);
  std::atomic<bool> is_intact = true;
  for_each_tile(threads, SparseFormat::tiles(chunk.count), [&](std::size_t tile) {
    const TileRange range = SparseFormat::tile_range(chunk.coded, chunk.bytes, chunk.count, tile);
    if (!decode_sparse_tile({chunk.coded + range.begin, range.bytes},
                            blocks_of(items, chunk.count, tile))) {
      is_intact = false;
    }
  });
  return is_intact;
}

void enqueue_encode(Queue& queue, const SparseFormat& /*format*/, const EncodeChunk& chunk) {
  queue.call([&threads = cpu::threads_of(queue), chunk] { encode(threads, chunk); });
}

void enqueue_decode(Queue& queue, const SparseFormat& /*format*/, const DecodeChunk& chunk) {
  queue.call([&threads = cpu::threads_of(queue), chunk] {
    if (!decode(threads, chunk)) set_error(chunk.result, CodecError::kCorrupt);
  });
}

const RegisterOp<EncodeOp<SparseFormat>> registered_encoder(cpu::kTarget, &enqueue_encode);
const RegisterOp<DecodeOp<SparseFormat>> registered_decoder(cpu::kTarget, &enqueue_decode);

}  // namespace
}  // namespace millrace::codecs

// SPDX-License-Identifier: Apache-2.0

// Bounded integers on the CPU: all threads of the queue code tiles of blocks.
#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/cpu/bounded_simd.h>
#include <millrace/algorithms/codecs/cpu/host_tiles.h>
#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace millrace::codecs {
namespace {

constexpr std::uint64_t kTileBlocks = 32;

// Integers of a chunk that one thread codes together, and the offset of their blocks in it.
struct ThreadTile {
  std::size_t first;
  std::size_t values;
  std::size_t offset;
  std::size_t bytes;
};

ThreadTile tile_of(const BoundedFormat& format, std::size_t count, std::size_t index) {
  const std::size_t first = index * kTileBlocks * kBlockValues;
  const std::size_t values = std::min<std::size_t>(kTileBlocks * kBlockValues, count - first);
  return {first, values, format.block_offset(index * kTileBlocks),
          BoundedFormat::blocks(values) * packed_block_bytes(format.width())};
}

// Returns true if `work` returns true for all tiles.
template <class Work>
bool all_tiles(cpu::CpuThreads& threads, const BoundedFormat& format, std::size_t count,
               const Work& work) {
  std::atomic<bool> all = true;
  for_each_tile(threads, (BoundedFormat::blocks(count) + kTileBlocks - 1) / kTileBlocks,
                [&](std::size_t index) {
                  if (!work(tile_of(format, count, index))) all = false;
                });
  return all;
}

void encode(cpu::CpuThreads& threads, const BoundedFormat& format, const EncodeChunk& chunk) {
  const CodedHeader header = format.header(chunk.count);
  if (header.bytes > chunk.capacity) return;
  std::memcpy(chunk.coded, &header, sizeof header);
  const auto* const items = static_cast<const std::uint32_t*>(chunk.items);
  const bool is_codable = all_tiles(threads, format, chunk.count, [&](const ThreadTile& tile) {
    return encode_bounded(format, {items + tile.first, tile.values}, chunk.coded + tile.offset);
  });
  chunk.result->bytes = header.bytes;
  if (!is_codable) set_error(chunk.result, CodecError::kNotCodable);
}

bool decode(cpu::CpuThreads& threads, const BoundedFormat& format, const DecodeChunk& chunk) {
  if (!format.has_header(chunk.coded, chunk.bytes, chunk.count)) return false;
  auto* const items = static_cast<std::uint32_t*>(chunk.items);
  const Stores stores = cpu::stores_for(chunk.count * sizeof(std::uint32_t));
  return all_tiles(threads, format, chunk.count, [&](const ThreadTile& tile) {
    return decode_bounded(format, {chunk.coded + tile.offset, tile.bytes},
                          {items + tile.first, tile.values}, stores);
  });
}

void enqueue_encode(Queue& queue, const BoundedFormat& format, const EncodeChunk& chunk) {
  queue.call(
      [&threads = cpu::threads_of(queue), format, chunk] { encode(threads, format, chunk); });
}

void enqueue_decode(Queue& queue, const BoundedFormat& format, const DecodeChunk& chunk) {
  queue.call([&threads = cpu::threads_of(queue), format, chunk] {
    if (!decode(threads, format, chunk)) set_error(chunk.result, CodecError::kCorrupt);
  });
}

const RegisterOp<EncodeOp<BoundedFormat>> registered_encoder(cpu::kTarget, &enqueue_encode);
const RegisterOp<DecodeOp<BoundedFormat>> registered_decoder(cpu::kTarget, &enqueue_decode);

}  // namespace
}  // namespace millrace::codecs

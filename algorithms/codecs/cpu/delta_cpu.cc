// SPDX-License-Identifier: Apache-2.0

// The delta codec on the CPU: all threads of the queue code tiles.
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/cpu/delta_simd.h>
#include <millrace/algorithms/codecs/cpu/host_tiles.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::codecs {
namespace {

template <class T>
std::span<const T> values_of(const EncodeChunk& chunk, std::size_t tile) {
  return {static_cast<const T*>(chunk.items) + tile * kTileValues,
          static_cast<std::size_t>(DeltaFormat<T>::tile_values(chunk.count, tile))};
}

template <class T>
void encode(cpu::CpuThreads& threads, const EncodeChunk& chunk) {
  using Format = DeltaFormat<T>;
  encode_tiles(
      threads,
      {.tiles = Format::tiles(chunk.count),
       .most_tile_bytes = kMostTileBytes<T>,
       .header = make_header(Format::kKind, chunk.count, 0),
       .encode = [&](std::size_t tile,
                     std::byte* to) { return encode_tile(values_of<T>(chunk, tile), to); }},
      chunk);
}

template <class T>
bool decode(cpu::CpuThreads& threads, const DecodeChunk& chunk) {
  if (!has_delta_header<T>(chunk.coded, chunk.bytes, chunk.count)) return false;
  const DeltaChunk<T> coded({chunk.coded, chunk.bytes}, chunk.count);
  const Stores stores = cpu::stores_for(chunk.count * sizeof(T));
  std::atomic<bool> is_intact = true;
  for_each_tile(threads, coded.tiles(), [&](std::size_t tile) {
    if (!decode_tile(coded.tile(tile), coded.values_of(tile, static_cast<T*>(chunk.items)),
                     stores)) {
      is_intact = false;
    }
  });
  return is_intact;
}

template <class T>
struct RegisterDelta {
  using Format = DeltaFormat<T>;

  static void enqueue_encode(Queue& queue, const Format& /*format*/, const EncodeChunk& chunk) {
    queue.call([&threads = cpu::threads_of(queue), chunk] { encode<T>(threads, chunk); });
  }
  static void enqueue_decode(Queue& queue, const Format& /*format*/, const DecodeChunk& chunk) {
    queue.call([&threads = cpu::threads_of(queue), chunk] {
      if (!decode<T>(threads, chunk)) set_error(chunk.result, CodecError::kCorrupt);
    });
  }

  RegisterOp<EncodeOp<Format>> encoder{cpu::kTarget, &enqueue_encode};
  RegisterOp<DecodeOp<Format>> decoder{cpu::kTarget, &enqueue_decode};
};

const RegisterDelta<std::uint32_t> registered_32;
const RegisterDelta<std::uint64_t> registered_64;

}  // namespace
}  // namespace millrace::codecs

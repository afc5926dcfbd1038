// The delta codec on the CPU: tiles by all threads of the queue.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>

#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/delta_simd.h>
#include <millrace/algorithms/codecs/host_tiles.h>
#include <millrace/runtime/op_table.h>

namespace millrace::codecs {
namespace {

template <class T>
std::span<const T> values_of(const EncodeChunk& chunk, std::size_t tile) {
  return {static_cast<const T*>(chunk.items) + tile * kTileValues,
          static_cast<std::size_t>(DeltaFormat<T>::tile_values(chunk.count, tile))};
}

// Everything but the tiles, once their places are known.
template <class T>
void write_frame(const EncodeChunk& chunk, std::span<const std::uint64_t> places) {
  using Format = DeltaFormat<T>;
  std::memset(chunk.coded, 0, Format::first_tile(chunk.count));
  const CodedHeader header = make_header(Format::kKind, chunk.count, places.back());
  std::memcpy(chunk.coded, &header, sizeof header);
  std::uint32_t* const directory = tile_directory(chunk.coded);
  for (std::size_t tile = 0; tile < places.size(); ++tile) {
    directory[tile] = static_cast<std::uint32_t>(places[tile] / kCodedUnit);
  }
}

// Reads the integers twice: for the tiles' sizes, and to write them in their places.
template <class T>
void encode(const EncodeChunk& chunk) {
  using Format = DeltaFormat<T>;
  const std::size_t tiles = Format::tiles(chunk.count);
  const std::span places(static_cast<std::uint64_t*>(chunk.scratch), tiles + 1);
  places[0] = Format::first_tile(chunk.count);
  for_each_tile(tiles, [&](std::size_t tile) {
    places[tile + 1] = tile_bytes(measure_tile(values_of<T>(chunk, tile)));
  });
  std::partial_sum(places.begin(), places.end(), places.begin());
  if (places.back() > chunk.capacity) return;
  write_frame<T>(chunk, places);
  for_each_tile(tiles, [&](std::size_t tile) {
    const std::span<const T> values = values_of<T>(chunk, tile);
    encode_tile(values, measure_tile(values), chunk.coded + places[tile]);
  });
  chunk.result->bytes = places.back();
}

template <class T>
bool decode(const DecodeChunk& chunk) {
  if (!has_delta_header<T>(chunk.coded, chunk.bytes, chunk.count)) return false;
  const DeltaChunk<T> coded({chunk.coded, chunk.bytes}, chunk.count);
  const Stores stores = stores_for(chunk.count * sizeof(T));
  std::atomic<bool> is_intact = true;
  for_each_tile(coded.tiles(), [&](std::size_t tile) {
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
    queue.call([chunk] { encode<T>(chunk); });
  }
  static void enqueue_decode(Queue& queue, const Format& /*format*/, const DecodeChunk& chunk) {
    queue.call([chunk] {
      if (!decode<T>(chunk)) set_error(chunk.result, CodecError::kCorrupt);
    });
  }

  RegisterOp<EncodeOp<Format>> encoder{"tbb", &enqueue_encode};
  RegisterOp<DecodeOp<Format>> decoder{"tbb", &enqueue_decode};
};

const RegisterDelta<std::uint32_t> registered_32;
const RegisterDelta<std::uint64_t> registered_64;

}  // namespace
}  // namespace millrace::codecs

// SPDX-License-Identifier: Apache-2.0

// Encoding deltas on GPUs: a block of threads per tile, a warp per block of 128 integers.
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/gpu/delta_tile.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using codecs::DeltaFormat;
using codecs::kBlockValues;
using codecs::kCodedUnit;
using codecs::kStreams;
using codecs::kTileBlocks;
using codecs::kTileValues;
using codecs::TileHead;

template <class T>
struct EncodeTiles {
  static constexpr int kMaxThreads = kTileThreads;
  static constexpr int kTargetBlocks = kTilesHeld<T>;

  const T* items;
  std::uint64_t count;
  std::byte* coded;
  std::uint64_t capacity;
  TilePositions positions;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<DeltaTile<T>*>(shared_memory());
    if (thread_index() == 0) memory.tile = positions.draw();
    sync_block();
    T deltas[kValuesPerThread];
    load(memory, deltas);
    sync_block();
    if (thread_index() < warp_width()) set_position(memory);
    sync_block();
    if (memory.is_good != 0) pack(memory, deltas);
  }

  // Loads each warp's differences and the widths of their blocks.
  MILLRACE_FUNCTION void load(DeltaTile<T>& memory, T (&deltas)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    const std::uint64_t tile_begin = memory.tile * kTileValues;
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint64_t begin = tile_begin + blocks.block(b) * kBlockValues;
      for (int j = 0; j < values_per_lane(); ++j) {
        const std::uint64_t i = begin + j * warp_width() + lane;
        deltas[b * values_per_lane() + j] = i < count ? items[i] : 0;
      }
    }
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint64_t begin = tile_begin + blocks.block(b) * kBlockValues;
      T before = 0;  // In lane 0: the integer before those of the next step.
      if (lane == 0 && begin < count) before = items[begin > tile_begin ? begin - 1 : begin];
      T bits = 0;
      for (int j = 0; j < values_per_lane(); ++j) {
        T& delta = deltas[b * values_per_lane() + j];
        const T value = delta;
        const T neighbour = shuffle(value, (lane + warp_width() - 1) % warp_width());
        delta = begin + j * warp_width() + lane < count ? value - (lane == 0 ? before : neighbour)
                                                        : T{0};
        before = neighbour;
        bits |= delta;
      }
      bits = warp_or(bits);
      if (lane == 0) memory.starts[blocks.block(b)] = codecs::bits_of(bits);
    }
  }

  // Finds the tile's position and writes all but its packed bits; called by the first warp.
  MILLRACE_FUNCTION void set_position(DeltaTile<T>& memory) const {
    const int lane = lane_index();
    const int width = lane < kTileBlocks ? static_cast<int>(memory.starts[lane]) : 0;
    sync_warp();
    const std::uint64_t units = sizeof(TileHead) / kCodedUnit + set_starts(memory, width);
    const std::uint64_t position = positions.position(memory.tile, units);
    const std::uint64_t begin = DeltaFormat<T>::first_tile(count) / kCodedUnit + position;
    const bool fits = (begin + units) * kCodedUnit <= capacity;
    if (lane == 0) {
      memory.position = begin;
      memory.is_good = fits ? 1 : 0;
    }
    if (!fits) return;
    auto& head = *reinterpret_cast<TileHead*>(coded + begin * kCodedUnit);
    if (lane < kTileBlocks) head.widths[lane] = static_cast<std::uint8_t>(width);
    if (lane != 0) return;
    const std::uint64_t tiles = DeltaFormat<T>::tiles(count);
    const std::uint64_t first = memory.tile * kTileValues;
    const std::uint64_t end = memory.tile + 1 == tiles ? count : first + kTileValues;
    head.first = count > 0 ? items[first] : 0;
    head.last = count > 0 ? items[end - 1] : 0;
    enter_tile({coded, codecs::make_header(DeltaFormat<T>::kKind, count, 0), tiles, result},
               memory.tile, begin, begin + units);
  }

  MILLRACE_FUNCTION void pack(DeltaTile<T>& memory, const T (&deltas)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    StagedBlock<T>& staged = memory.staged[blocks.first];
    T* const words = reinterpret_cast<T*>(coded + memory.position * kCodedUnit + sizeof(TileHead));
    for (int b = 0; b < blocks.count(); ++b) {
      for (int j = 0; j < values_per_lane(); ++j) {
        staged[j * warp_width() + lane] = deltas[b * values_per_lane() + j];
      }
      sync_warp();
      const std::uint32_t start = memory.starts[blocks.block(b)];
      const int width = static_cast<int>(memory.starts[blocks.block(b) + 1] - start);
      staged.pack(words + start * kStreams<T>, width);
      sync_warp();
    }
  }
};

template <class T>
void enqueue_encode(Queue& queue, const DeltaFormat<T>& /*format*/, const EncodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        auto* const scratch = static_cast<std::uint64_t*>(chunk.scratch);
        const std::size_t tiles = DeltaFormat<T>::tiles(chunk.count);
        fill(scratch, std::byte{0}, TilePositions::words(tiles) * sizeof(std::uint64_t),
             gpu_queue.stream());
        launch_tiles<T>(gpu_queue,
                        EncodeTiles<T>{static_cast<const T*>(chunk.items), chunk.count, chunk.coded,
                                       chunk.capacity, TilePositions(scratch), chunk.result});
      },
      GpuQueue::Start::kInline);
}

const RegisterOp<codecs::EncodeOp<DeltaFormat<std::uint32_t>>> registered_32(
    kBackend, &enqueue_encode<std::uint32_t>);
const RegisterOp<codecs::EncodeOp<DeltaFormat<std::uint64_t>>> registered_64(
    kBackend, &enqueue_encode<std::uint64_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

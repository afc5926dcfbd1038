// SPDX-License-Identifier: Apache-2.0

// Decoding deltas on GPUs: a block of threads per tile, a warp per block of 128 integers.
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
struct DecodeTiles {
  static constexpr int kMaxThreads = kTileThreads;
  static constexpr int kTargetBlocks = kTilesHeld<T>;

  const std::byte* coded;
  std::uint64_t bytes;
  T* items;
  std::uint64_t count;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<DeltaTile<T>*>(shared_memory());
    if (thread_index() < warp_width()) open(memory);
    sync_block();
    if (memory.is_good == 0) return;
    T values[kValuesPerThread];
    unpack(memory, values);
    sync_block();
    if (thread_index() < warp_width()) set_sums(memory);
    sync_block();
    write(memory, values);
  }

  MILLRACE_FUNCTION std::uint64_t tile() const { return static_cast<std::uint64_t>(block_index()); }
  MILLRACE_FUNCTION const TileHead& head(const DeltaTile<T>& memory) const {
    return *reinterpret_cast<const TileHead*>(coded + memory.position * kCodedUnit);
  }

  // Finds the tile and checks that it is whole; called by the first warp.
  MILLRACE_FUNCTION void open(DeltaTile<T>& memory) const {
    const int lane = lane_index();
    codecs::TileRange range;
    if (codecs::has_delta_header<T>(coded, bytes, count)) {
      range = codecs::delta_tile_range<T>(coded, bytes, count, tile());
    }
    int width = 0;
    if (range.bytes > 0 && lane < kTileBlocks) {
      width = reinterpret_cast<const TileHead*>(coded + range.begin)->widths[lane];
    }
    const int values = DeltaFormat<T>::tile_values(count, tile());
    const bool is_used = lane * kBlockValues < values;
    const bool is_bad = width > (is_used ? codecs::kWordBits<T> : 0);
    const std::uint32_t sum = set_starts(memory, width);
    const bool is_good = range.bytes > 0 && ballot(is_bad) == 0 &&
                         range.bytes == sizeof(TileHead) + codecs::packed_block_bytes(sum);
    if (lane != 0) return;
    memory.position = range.begin / kCodedUnit;
    memory.is_good = is_good ? 1 : 0;
    if (!is_good) set_error(result, CodecError::kCorrupt);
  }

  // Computes each lane's sums over its part of a block and all lanes before it. A lane's integers
  // are adjacent.
  MILLRACE_FUNCTION void unpack(DeltaTile<T>& memory, T (&values)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    const T* const words = reinterpret_cast<const T*>(&head(memory) + 1);
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint32_t start = memory.starts[blocks.block(b)];
      const int width = static_cast<int>(memory.starts[blocks.block(b) + 1] - start);
      T* const mine = values + b * values_per_lane();
      T sum = 0;
      for (int j = 0; j < values_per_lane(); ++j) {
        sum += codecs::unpacked_value(words + start * kStreams<T>, width,
                                      lane * values_per_lane() + j);
        mine[j] = sum;
      }
      const T end = inclusive_sum(sum);
      for (int j = 0; j < values_per_lane(); ++j) mine[j] += end - sum;
      if (lane == warp_width() - 1) memory.sums[blocks.block(b)] = end;
    }
  }

  // Turns the sums over whole blocks into the integers before them; called by the first warp.
  MILLRACE_FUNCTION void set_sums(DeltaTile<T>& memory) const {
    const int lane = lane_index();
    const T own = lane < kTileBlocks ? memory.sums[lane] : T{0};
    const T end = static_cast<T>(head(memory).first) + inclusive_sum(own);
    if (lane < kTileBlocks) memory.sums[lane] = end - own;
    if (lane == warp_width() - 1 && end != head(memory).last) {
      set_error(result, CodecError::kCorrupt);
    }
  }

  MILLRACE_FUNCTION void write(DeltaTile<T>& memory, const T (&values)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    StagedBlock<T>& staged = memory.staged[blocks.first];
    for (int b = 0; b < blocks.count(); ++b) {
      const T before = memory.sums[blocks.block(b)];
      for (int j = 0; j < values_per_lane(); ++j) {
        staged[lane * values_per_lane() + j] = before + values[b * values_per_lane() + j];
      }
      sync_warp();
      const std::uint64_t begin = tile() * kTileValues + blocks.block(b) * kBlockValues;
      for (int j = 0; j < values_per_lane(); ++j) {
        const int i = j * warp_width() + lane;
        if (begin + i < count) items[begin + i] = staged[i];
      }
      sync_warp();
    }
  }
};

template <class T>
void enqueue_decode(Queue& queue, const DeltaFormat<T>& /*format*/, const DecodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        launch_tiles<T>(gpu_queue,
                        DecodeTiles<T>{chunk.coded, chunk.bytes, static_cast<T*>(chunk.items),
                                       chunk.count, chunk.result});
      },
      GpuQueue::Start::kInline);
}

const RegisterOp<codecs::DecodeOp<DeltaFormat<std::uint32_t>>> registered_32(
    kBackend, &enqueue_decode<std::uint32_t>);
const RegisterOp<codecs::DecodeOp<DeltaFormat<std::uint64_t>>> registered_64(
    kBackend, &enqueue_decode<std::uint64_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

// SPDX-License-Identifier: Apache-2.0

// The sparse codec on GPUs: a block of threads per tile, a warp per block of 256 coefficients.
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/gpu/sparse_lane.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using codecs::CoefficientBlock;
using codecs::kCodedUnit;
using codecs::kSparseTileBlocks;
using codecs::SparseFormat;
using codecs::SparseTileHead;

// The tile of a block of threads, in shared memory.
struct SparseTile {
  std::uint64_t tile;
  std::uint64_t position;  // Counted in units from the chunk's beginning.
  std::uint32_t is_good;
  std::uint32_t bytes[kSparseTileBlocks];  // Size of each block.
  std::uint32_t begins[kSparseTileBlocks];
};

// The blocks of a tile that a warp processes: its own index and every multiple of the number of
// warps after it.
struct WarpItems {
  int first = thread_index() / warp_width();
  int step = kTileThreads / warp_width();
};

struct EncodeSparse {
  static constexpr int kMaxThreads = kTileThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 8;

  const CoefficientBlock* items;
  std::uint64_t count;
  std::byte* coded;
  std::uint64_t capacity;
  TilePositions positions;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<SparseTile*>(shared_memory());
    if (thread_index() == 0) memory.tile = positions.draw();
    sync_block();
    const CoefficientBlock* const blocks = items + memory.tile * kSparseTileBlocks;
    const int count_here = SparseFormat::tile_blocks(count, memory.tile);
    const WarpItems warp;
    for (int block = warp.first; block < kSparseTileBlocks; block += warp.step) {
      std::uint32_t bytes = 0;
      if (block < count_here) bytes = SparseLane(blocks[block]).block_bytes();
      if (lane_index() == 0) memory.bytes[block] = bytes;
    }
    sync_block();
    if (thread_index() < warp_width()) set_position(memory);
    sync_block();
    if (memory.is_good == 0) return;
    std::byte* const tile = coded + memory.position * kCodedUnit;
    for (int block = warp.first; block < count_here; block += warp.step) {
      const SparseLane lane(blocks[block]);  // Computed again, from data in the caches.
      lane.write(tile + memory.begins[block]);
      if (lane_index() == 0) {
        reinterpret_cast<SparseTileHead*>(tile)->shifts[block] =
            static_cast<std::uint8_t>(lane.shift());
      }
    }
  }

  // Finds the tile's position and writes all but its blocks and shifts; called by the first warp.
  MILLRACE_FUNCTION void set_position(SparseTile& memory) const {
    const int lane = lane_index();
    const std::uint32_t own = lane < kSparseTileBlocks ? memory.bytes[lane] : 0;
    const std::uint32_t end = std::uint32_t{sizeof(SparseTileHead)} + inclusive_sum(own);
    if (lane < kSparseTileBlocks) memory.begins[lane] = end - own;
    const std::uint32_t bytes = shuffle(end, kSparseTileBlocks - 1);
    const std::uint64_t units = codecs::round_up_to_unit(bytes) / kCodedUnit;
    const std::uint64_t tiles = SparseFormat::tiles(count);
    const std::uint64_t begin =
        codecs::directory_end(tiles) / kCodedUnit + positions.position(memory.tile, units);
    const bool fits = (begin + units) * kCodedUnit <= capacity;
    if (lane == 0) {
      memory.position = begin;
      memory.is_good = fits ? 1 : 0;
    }
    if (!fits) return;
    std::byte* const tile = coded + begin * kCodedUnit;
    if (lane < kSparseTileBlocks) {
      auto& head = *reinterpret_cast<SparseTileHead*>(tile);
      head.ends[lane] = static_cast<std::uint16_t>(end / 2);
      if (lane >= SparseFormat::tile_blocks(count, memory.tile)) head.shifts[lane] = 0;
    }
    if (lane != 0) return;
    for (std::uint64_t i = bytes; i < units * kCodedUnit; ++i) tile[i] = std::byte{0};
    enter_tile({coded, codecs::make_header(SparseFormat::kKind, count, 0), tiles, result},
               memory.tile, begin, begin + units);
  }
};

struct DecodeSparse {
  static constexpr int kMaxThreads = kTileThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 12;

  const std::byte* coded;
  std::uint64_t bytes;
  CoefficientBlock* items;
  std::uint64_t count;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    const auto tile = static_cast<std::uint64_t>(block_index());
    codecs::TileRange range;
    if (SparseFormat::has_header(coded, bytes, count)) {
      range = SparseFormat::tile_range(coded, bytes, count, tile);
    }
    bool is_good = range.bytes > 0;
    const WarpItems warp;
    const int blocks = SparseFormat::tile_blocks(count, tile);
    for (int block = warp.first; is_good && block < blocks; block += warp.step) {
      const std::byte* const begin = coded + range.begin;
      const auto& head = *reinterpret_cast<const SparseTileHead*>(begin);
      const codecs::SparsePosition position = codecs::sparse_position(head, block, range.bytes);
      is_good = position.is_good &&
                decode_block(begin + position.begin, position.bytes, head.shifts[block],
                             items + tile * kSparseTileBlocks + block);
    }
    if (!is_good && lane_index() == 0) set_error(result, CodecError::kCorrupt);
  }
};

template <class Body>
void launch_tiles(GpuQueue& queue, const Body& body) {
  const gpu::LaunchShape shape{.blocks = static_cast<int>(SparseFormat::tiles(body.count)),
                               .threads = kTileThreads,
                               .shared_bytes = sizeof(SparseTile),
                               .cooperative = false};
  launch(&body_kernel<Body>, shape, queue.stream(), body);
}

void enqueue_encode(Queue& queue, const SparseFormat& /*format*/, const EncodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        auto* const scratch = static_cast<std::uint64_t*>(chunk.scratch);
        const std::size_t tiles = SparseFormat::tiles(chunk.count);
        fill(scratch, std::byte{0}, TilePositions::words(tiles) * sizeof(std::uint64_t),
             gpu_queue.stream());
        launch_tiles(gpu_queue, EncodeSparse{static_cast<const CoefficientBlock*>(chunk.items),
                                             chunk.count, chunk.coded, chunk.capacity,
                                             TilePositions(scratch), chunk.result});
      },
      GpuQueue::Start::kInline);
}

void enqueue_decode(Queue& queue, const SparseFormat& /*format*/, const DecodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        launch_tiles(gpu_queue, DecodeSparse{chunk.coded, chunk.bytes,
                                             static_cast<CoefficientBlock*>(chunk.items),
                                             chunk.count, chunk.result});
      },
      GpuQueue::Start::kInline);
}

const RegisterOp<codecs::EncodeOp<SparseFormat>> registered_encoder(kBackend, &enqueue_encode);
const RegisterOp<codecs::DecodeOp<SparseFormat>> registered_decoder(kBackend, &enqueue_decode);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

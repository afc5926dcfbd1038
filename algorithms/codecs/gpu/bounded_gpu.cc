// SPDX-License-Identifier: Apache-2.0

// Bounded integers on GPUs: a warp per block of 128.
#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/gpu/staged_block.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/algorithms/codecs/gpu/warp_blocks.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using codecs::BoundedFormat;
using codecs::kBlockValues;

struct EncodeBlocks {
  static constexpr int kMaxThreads = kTileThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 8;

  BoundedFormat format;
  const std::uint32_t* items;
  std::uint64_t count;
  std::byte* coded;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    auto& staged = reinterpret_cast<StagedBlock<std::uint32_t>*>(shared_memory())[blocks.first];
    if (block_index() == 0 && thread_index() == 0) {
      *reinterpret_cast<codecs::CodedHeader*>(coded) = format.header(count);
      result->bytes = format.coded_bytes(count);
    }
    bool is_codable = true;
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint64_t block =
          static_cast<std::uint64_t>(block_index()) * kBlocksPerTile + blocks.block(b);
      if (block * kBlockValues >= count) break;
      for (int j = 0; j < values_per_lane(); ++j) {
        const std::uint64_t i = block * kBlockValues + j * warp_width() + lane;
        const std::uint32_t value = i < count ? items[i] : 0;
        is_codable &= value <= format.most();
        staged[j * warp_width() + lane] = value;
      }
      sync_warp();
      staged.pack(reinterpret_cast<std::uint32_t*>(coded + format.block_offset(block)),
                  format.width());
      sync_warp();
    }
    if (!is_codable) set_error(result, CodecError::kNotCodable);
  }
};

struct DecodeBlocks {
  static constexpr int kMaxThreads = kTileThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 8;

  BoundedFormat format;
  const std::byte* coded;
  std::uint64_t bytes;
  std::uint32_t* items;
  std::uint64_t count;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    const WarpBlocks blocks;
    bool is_good = format.has_header(coded, bytes, count);
    for (int b = 0; is_good && b < blocks.count(); ++b) {
      const std::uint64_t block =
          static_cast<std::uint64_t>(block_index()) * kBlocksPerTile + blocks.block(b);
      if (block * kBlockValues >= count) break;
      const auto* const words =
          reinterpret_cast<const std::uint32_t*>(coded + format.block_offset(block));
      for (int j = 0; j < values_per_lane(); ++j) {
        const int i = j * warp_width() + lane_index();
        const std::uint32_t value = codecs::unpacked_value(words, format.width(), i);
        if (block * kBlockValues + i >= count) continue;
        is_good &= value <= format.most();
        items[block * kBlockValues + i] = value;
      }
    }
    if (!is_good) set_error(result, CodecError::kCorrupt);
  }
};

template <class Body>
void launch_blocks(GpuQueue& queue, const Body& body) {
  const std::uint64_t tiles = (body.count + kTileIntegers - 1) / kTileIntegers;
  const gpu::LaunchShape shape{.blocks = tiles == 0 ? 1 : static_cast<int>(tiles),
                               .threads = kTileThreads,
                               .shared_bytes = kMostTileWarps * sizeof(StagedBlock<std::uint32_t>),
                               .cooperative = false};
  launch(&body_kernel<Body>, shape, queue.stream(), body);
}

void enqueue_encode(Queue& queue, const BoundedFormat& format, const EncodeChunk& chunk) {
  if (format.coded_bytes(chunk.count) > chunk.capacity) return;
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, format, chunk] {
        launch_blocks(gpu_queue,
                      EncodeBlocks{format, static_cast<const std::uint32_t*>(chunk.items),
                                   chunk.count, chunk.coded, chunk.result});
      },
      GpuQueue::Start::kInline);
}

void enqueue_decode(Queue& queue, const BoundedFormat& format, const DecodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, format, chunk] {
        launch_blocks(gpu_queue, DecodeBlocks{format, chunk.coded, chunk.bytes,
                                              static_cast<std::uint32_t*>(chunk.items), chunk.count,
                                              chunk.result});
      },
      GpuQueue::Start::kInline);
}

const RegisterOp<codecs::EncodeOp<BoundedFormat>> registered_encoder(kBackend, &enqueue_encode);
const RegisterOp<codecs::DecodeOp<BoundedFormat>> registered_decoder(kBackend, &enqueue_decode);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

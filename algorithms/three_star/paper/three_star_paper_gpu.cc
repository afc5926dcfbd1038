// SPDX-License-Identifier: Apache-2.0

// The paper's method on GPUs: a search's memory on the device, and its launches.
#include <millrace/algorithms/three_star/paper/make_paper_chunks_op.h>
#include <millrace/algorithms/three_star/paper/narrow_sides.h>
#include <millrace/algorithms/three_star/paper/paper_kernel_gpu.h>
#include <millrace/algorithms/three_star/paper/wide_sides.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace millrace::MILLRACE_GPU {
namespace {

using three_star::MakePaperChunksOp;
using three_star::NarrowSides;
using three_star::PaperChunks;
using three_star::PaperInput;
using three_star::PaperMemory;
using three_star::PaperTables;
using three_star::PaperView;
using three_star::PlainTables;
using three_star::TableSides;
using three_star::WideSides;

// A complete copy in device memory: a later error frees no memory under it.
template <class T>
Buffer<T> upload(Queue& queue, std::span<const T> values) {
  Buffer<T> buffer(queue.device().pool(MemorySpace::kDevice), values.size());
  queue.copy(buffer.data(), values.data(), values.size_bytes());
  queue.wait();
  return buffer;
}

// A table as a texture.
class TableTexture {
 public:
  TableTexture(GpuDevice& device, const void* data, std::size_t row_bytes, std::size_t rows)
      : device_(device), texture_(device.with([&] {
          return create_texture(data, row_bytes / sizeof(gpu::Vector16), rows, row_bytes);
        })) {}
  ~TableTexture() {
    device_.try_with([&] { destroy_texture(texture_); });
  }
  TableTexture(const TableTexture&) = delete;
  TableTexture& operator=(const TableTexture&) = delete;

  Texture get() const { return texture_; }

 private:
  GpuDevice& device_;
  const Texture texture_;
};

// Both tables in device memory.
class DeviceTables {
 public:
  DeviceTables(GpuQueue& queue, const PaperTables& tables)
      : ranks_(upload(queue, tables.ranks())), bounds_(upload(queue, tables.bounds())) {
    const std::size_t rank_bytes = tables.rank_pitch() * sizeof(std::uint16_t);
    const std::size_t bounds_bytes = tables.bounds_pitch() * sizeof(SideBounds);
    const gpu::Properties& properties = queue.gpu_device().properties();
    plain_ = {ranks_.data(), bounds_.data(), static_cast<std::uint32_t>(tables.rank_pitch()),
              static_cast<std::uint32_t>(tables.bounds_pitch())};
    if (!properties.has_textures ||
        bounds_bytes / sizeof(gpu::Vector16) > properties.max_texture_width ||
        tables.sides() + 1 > properties.max_texture_height) {
      return;
    }
    rank_texture_.emplace(queue.gpu_device(), ranks_.data(), rank_bytes,
                          ranks_.size_bytes() / rank_bytes);
    bounds_texture_.emplace(queue.gpu_device(), bounds_.data(), bounds_bytes, tables.sides() + 1);
  }

  bool has_textures() const { return bounds_texture_.has_value(); }
  TextureTables<Texture> textures() const { return {rank_texture_->get(), bounds_texture_->get()}; }
  const PlainTables& plain() const { return plain_; }

 private:
  Buffer<std::uint16_t> ranks_;
  Buffer<SideBounds> bounds_;
  PlainTables plain_;
  std::optional<TableTexture> rank_texture_;
  std::optional<TableTexture> bounds_texture_;
};

class DeviceChunks final : public PaperChunks {
 public:
  DeviceChunks(GpuQueue& queue, const PaperInput& input)
      : radius_(input.radius),
        is_compressed_(input.is_compressed),
        points_(upload(queue, std::span(input.grid.points, input.points))),
        ids_(upload(queue, std::span(input.grid.ids, input.points))),
        cells_(upload(queue, std::span(input.grid.cells, input.grid.cell_count))),
        threads_(threads_for(queue, input.grid)) {
    if (input.tables != nullptr) tables_.emplace(queue, *input.tables);
    int resident = 0;
    with_kernel([&]<class Sides, bool kIsCompressed>(const Sides& /*sides*/) {
      resident = queue.gpu_device().with([&] {
        return resident_blocks(&body_kernel<PaperKernel<Sides, kIsCompressed>>, threads_,
                               sizeof(PaperBlock));
      });
    });
    const int multiprocessors = queue.gpu_device().properties().multiprocessors;
    const auto most = static_cast<std::uint32_t>(std::max(1, resident * multiprocessors));
    blocks_ = std::min(most, input.grid.cell_count);
    memory_.emplace(queue, blocks_);
    queue.wait();
  }

  void enqueue(Queue& queue, const PipelineChunk& chunk) override {
    auto& own = static_cast<GpuQueue&>(queue);
    const PaperView grid = {points_.data(), ids_.data(), cells_.data(),
                            static_cast<std::uint32_t>(cells_.size())};
    const PaperSearch search = memory_->search(grid, is_compressed_, chunk);
    const auto work = [this, &own, search] {
      const gpu::LaunchShape shape = {.blocks = static_cast<int>(blocks_),
                                      .threads = threads_,
                                      .shared_bytes = sizeof(PaperBlock)};
      with_kernel([&]<class Sides, bool kIsCompressed>(const Sides& sides) {
        using Body = PaperKernel<Sides, kIsCompressed>;
        launch(&body_kernel<Body>, shape, own.stream(), Body{search, sides});
      });
    };
    own.enqueue(work, GpuQueue::Start::kInline, "3-stars");
  }

 private:
  // Returns a thread for each point of the largest cell, up to the device's limit; other points
  // take turns.
  static int threads_for(const GpuQueue& queue, const PaperView& grid) {
    const gpu::Properties& properties = queue.gpu_device().properties();
    std::uint32_t most = 1;
    for (std::uint32_t i = 0; i < grid.cell_count; ++i) {
      most = std::max(most, grid.cells[i].ranges[0].size());
    }
    const auto points = static_cast<int>(std::min(most, kSegmentPoints));
    const int width = properties.warp_width;
    return std::min((points + width - 1) / width * width, properties.max_threads_per_block);
  }

  // Calls use.operator()<Sides, kIsCompressed>(sides) for the kernel of this search.
  template <class Use>
  void with_kernel(const Use& use) const {
    const auto with_sides = [&]<class Sides>(const Sides& sides) {
      if (is_compressed_) {
        use.template operator()<Sides, true>(sides);
      } else {
        use.template operator()<Sides, false>(sides);
      }
    };
    if (tables_ && tables_->has_textures()) {
      with_sides(TableSides(radius_, tables_->textures()));
    } else if (tables_) {
      with_sides(TableSides(radius_, tables_->plain()));
    } else if (radius_ <= NarrowSides::kMostRadius) {
      with_sides(NarrowSides(radius_));
    } else {
      with_sides(WideSides(radius_));
    }
  }

  const std::int32_t radius_;
  const bool is_compressed_;
  const Buffer<Point> points_;
  const Buffer<std::uint32_t> ids_;
  const Buffer<PaperCell> cells_;
  const int threads_;
  std::optional<DeviceTables> tables_;
  std::uint32_t blocks_ = 0;
  std::optional<PaperMemory> memory_;
};

std::unique_ptr<PaperChunks> make_chunks(Queue& queue, const PaperInput& input) {
  return std::make_unique<DeviceChunks>(static_cast<GpuQueue&>(queue), input);
}

const RegisterOp<MakePaperChunksOp> registered(kBackend, &make_chunks);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

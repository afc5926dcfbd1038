// SPDX-License-Identifier: Apache-2.0

// The kernel of diagonal_launches_op.h.
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/joins/diagonal_launches_op.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using examples::AlignmentTable;
using examples::AlignmentTile;
using examples::AlignmentTileMemory;
using tools::TileDiagonal;

// The Context of a tile that a warp, alone in its block, computes. Nothing waits for it.
struct TileContext {
  MILLRACE_FUNCTION static int lane() { return lane_index(); }
  MILLRACE_FUNCTION static int lanes() { return warp_width(); }
  MILLRACE_FUNCTION static void sync() { sync_warp(); }
  template <class T>
  MILLRACE_FUNCTION static T* scratch(std::size_t) {
    return reinterpret_cast<T*>(shared_memory());
  }
  MILLRACE_FUNCTION static void arrive(std::uint32_t*, const AlignmentTile&) {}
};

MILLRACE_KERNEL void compute_tiles(AlignmentTable table, std::uint32_t first_row,
                                   std::uint32_t diagonal) {
  const std::uint32_t row = first_row + static_cast<std::uint32_t>(block_index());
  TileContext context;
  AlignmentTile{table, row, diagonal - row}(context);
}

void launch_diagonals(Stream stream, int lanes, const AlignmentTable& table) {
  for (std::uint32_t i = 0; i < TileDiagonal::count(table); ++i) {
    const TileDiagonal tiles = TileDiagonal::of(table, i);
    const gpu::LaunchShape shape = {.blocks = static_cast<int>(tiles.end - tiles.begin),
                                    .threads = lanes,
                                    .shared_bytes = sizeof(AlignmentTileMemory)};
    launch(compute_tiles, shape, stream, table, tiles.begin, i);
  }
}

void run_diagonals(Queue& queue, const AlignmentTable& table) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&] {
        launch_diagonals(gpu_queue.stream(), gpu_queue.gpu_device().properties().warp_width, table);
        synchronize(gpu_queue.stream());
      },
      GpuQueue::Start::kAtWait);
  queue.wait();
}

const RegisterOp<tools::DiagonalLaunchesOp> registered(kBackend, &run_diagonals);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

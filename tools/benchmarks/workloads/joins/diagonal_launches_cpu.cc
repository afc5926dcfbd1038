// SPDX-License-Identifier: Apache-2.0

// The loops of diagonal_launches_op.h.
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/joins/diagonal_launches_op.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {
namespace {

using examples::AlignmentTable;
using examples::AlignmentTile;
using examples::AlignmentTileMemory;

// The Context of a tile on one thread. Nothing waits for it.
class TileContext {
 public:
  static constexpr int lane() { return 0; }
  static constexpr int lanes() { return 1; }
  static constexpr void sync() {}
  template <class T>
  T* scratch(std::size_t) {
    return &memory_;
  }
  static void arrive(std::uint32_t*, const AlignmentTile&) {}

 private:
  AlignmentTileMemory memory_;
};

void compute_diagonal(cpu::CpuThreads& threads, const AlignmentTable& table,
                      std::uint32_t diagonal) {
  const TileDiagonal tiles = TileDiagonal::of(table, diagonal);
  threads.for_ranges(tiles.end - tiles.begin, 1, [&](std::size_t begin, std::size_t end, int) {
    TileContext context;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = tiles.begin + static_cast<std::uint32_t>(i);
      AlignmentTile{table, row, diagonal - row}(context);
    }
  });
}

void run_diagonals(Queue& queue, const AlignmentTable& table) {
  queue.call([&threads = cpu::threads_of(queue), &table] {
    for (std::uint32_t i = 0; i < TileDiagonal::count(table); ++i) {
      compute_diagonal(threads, table, i);
    }
  });
  queue.wait();
}

const RegisterOp<DiagonalLaunchesOp> registered(cpu::kTarget, &run_diagonals);

}  // namespace
}  // namespace millrace::tools

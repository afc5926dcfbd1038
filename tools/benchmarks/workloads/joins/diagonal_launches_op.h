// SPDX-License-Identifier: Apache-2.0

// The peer of a wavefront of tasks (joins-wavefront): the same tiles without a queue, all those of
// an anti-diagonal at once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_DIAGONAL_LAUNCHES_OP_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_DIAGONAL_LAUNCHES_OP_H_

#include <millrace/docs/examples/wavefront/alignment_tasks.h>
#include <millrace/runtime/core/queue.h>

#include <algorithm>
#include <cstdint>

namespace millrace::tools {

// Fills a table whose borders are 0 by one launch per anti-diagonal of tiles, a warp for each tile;
// on a CPU by one parallel loop per anti-diagonal. Waits for the queue.
struct DiagonalLaunchesOp {
  using Function = void(Queue&, const examples::AlignmentTable&);
};

// The tiles on an anti-diagonal: those of rows `begin` to `end` - 1, in column diagonal - row.
struct TileDiagonal {
  std::uint32_t begin;
  std::uint32_t end;

  static std::uint32_t count(const examples::AlignmentTable& table) {
    return table.tile_rows() + table.tile_columns - 1;
  }
  static TileDiagonal of(const examples::AlignmentTable& table, std::uint32_t diagonal) {
    const std::uint32_t columns = table.tile_columns;
    return {diagonal < columns ? 0 : diagonal - columns + 1,
            std::min(diagonal + 1, table.tile_rows())};
  }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_DIAGONAL_LAUNCHES_OP_H_

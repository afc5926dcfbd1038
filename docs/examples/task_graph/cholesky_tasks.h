// SPDX-License-Identifier: Apache-2.0

// Cholesky's factorization of a matrix in tiles as a graph of tasks that is known beforehand
// (A. Buttari, J. Langou, J. Kurzak and J. Dongarra, A Class of Parallel Tiled Linear Algebra
// Algorithms for Multicore Architectures, 2009). Step k factors the tile on the diagonal, solves
// for those below it, and subtracts their products from all tiles to the right:
//
//   Potrf(k)  ->  Trsm(i, k), i > k  ->  Syrk(i, k)     ->  Syrk(i, k + 1) or Potrf(i)
//                                        Gemm(i, j, k)  ->  Gemm(i, j, k + 1) or Trsm(i, j)
//
// Each step of each tile has a counter, so nothing is allocated. A task is as wide as a block of a
// GPU. Priorities follow the longest path.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_TASKS_H_

#include <millrace/docs/examples/task_graph/tile_kernels.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::examples {

// Returns the index of a tile among those of the lower triangle, row by row.
MILLRACE_FUNCTION inline std::size_t tile_index(std::size_t row, std::size_t column) {
  return row * (row + 1) / 2 + column;
}

// Returns the index of a step of a tile, which has column + 1 of them.
MILLRACE_FUNCTION inline std::size_t step_index(std::size_t row, std::size_t column,
                                                std::size_t step) {
  return row * (row + 1) * (row + 2) / 6 + column * (column + 1) / 2 + step;
}

// A matrix in memory of the device, with the counters of its steps.
struct CholeskyTiles {
  double* tiles;           // Indexed by tile_index().
  std::uint32_t* missing;  // Number of tasks that each step, by step_index(), waits for.
  std::uint32_t count;     // Rows of tiles.
  std::int32_t side;       // Rows of a tile.

  MILLRACE_FUNCTION double* tile(std::uint32_t row, std::uint32_t column) const {
    return tiles + tile_index(row, column) * side * side;
  }
  MILLRACE_FUNCTION std::uint32_t* counter(std::uint32_t row, std::uint32_t column,
                                           std::uint32_t step) const {
    return missing + step_index(row, column, step);
  }
};

// Number of registers that the 4 x 4 sums of a thread take with all else.
inline constexpr int kCholeskyRegisters = 96;

// Templates below have these as arguments, because their definitions follow.
struct Potrf;
struct Trsm;

// Subtracts from a tile below the diagonal.
struct Gemm {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr int kRegisters = kCholeskyRegisters;
  static constexpr int kPriority = 0;
  CholeskyTiles matrix;
  std::uint32_t row, column, step;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    gemm(context, matrix.tile(row, column), matrix.tile(row, step), matrix.tile(column, step),
         matrix.side);
    if (context.lane() == 0) arrive_at_next<Trsm>(context);
  }

 private:
  template <class Solve, class Context>
  MILLRACE_FUNCTION void arrive_at_next(Context& context) const {
    std::uint32_t* const next = matrix.counter(row, column, step + 1);
    if (step + 1 < column) {
      context.arrive(next, Gemm{matrix, row, column, step + 1});
    } else {
      context.arrive(next, Solve{matrix, row, column});
    }
  }
};

// Subtracts from a tile of the diagonal.
struct Syrk {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr int kRegisters = kCholeskyRegisters;
  static constexpr int kPriority = 1;
  CholeskyTiles matrix;
  std::uint32_t row, step;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    syrk(context, matrix.tile(row, row), matrix.tile(row, step), matrix.side);
    if (context.lane() == 0) arrive_at_next<Potrf>(context);
  }

 private:
  template <class Factor, class Context>
  MILLRACE_FUNCTION void arrive_at_next(Context& context) const {
    std::uint32_t* const next = matrix.counter(row, row, step + 1);
    if (step + 1 < row) {
      context.arrive(next, Syrk{matrix, row, step + 1});
    } else {
      context.arrive(next, Factor{matrix, row});
    }
  }
};

// Arrives at all that uses a finished tile below the diagonal. Called by all lanes.
template <class Context>
MILLRACE_FUNCTION void arrive_at_users(Context& context, const CholeskyTiles& matrix,
                                       std::uint32_t row, std::uint32_t column) {
  // The last to arrive runs first where the newest task does: the nearest column.
  for (std::uint32_t i = context.lane(); i + column + 1 < matrix.count; i += context.lanes()) {
    const std::uint32_t other = matrix.count - 1 - i;
    if (other == row) {
      context.arrive(matrix.counter(row, row, column), Syrk{matrix, row, column});
    } else {
      const std::uint32_t low = other > row ? other : row;
      const std::uint32_t high = other > row ? row : other;
      context.arrive(matrix.counter(low, high, column), Gemm{matrix, low, high, column});
    }
  }
}

// Finishes a tile below the diagonal.
struct Trsm {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr int kRegisters = kCholeskyRegisters;
  static constexpr int kPriority = 2;
  CholeskyTiles matrix;
  std::uint32_t row, column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    trsm(context, matrix.tile(row, column), matrix.tile(column, column), matrix.side);
    arrive_at_users(context, matrix, row, column);
  }
};

// Says that a tile below the diagonal has come from the device that has finished it.
struct TileArrived {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kPriority = 3;
  CholeskyTiles matrix;
  std::uint32_t row, column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    arrive_at_users(context, matrix, row, column);
  }
};

// Finishes a tile of the diagonal. Fails with the number of the column, from 1 on, at which the
// matrix is not positive definite.
struct Potrf {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr int kRegisters = kCholeskyRegisters;
  static constexpr int kPriority = 3;
  CholeskyTiles matrix;
  std::uint32_t step;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const int good = potrf(context, matrix.tile(step, step), matrix.side);
    if (good < matrix.side) context.fail(static_cast<int>(step) * matrix.side + good + 1);
    for (std::uint32_t i = context.lane(); i + step + 1 < matrix.count; i += context.lanes()) {
      const std::uint32_t row = matrix.count - 1 - i;
      context.arrive(matrix.counter(row, step, step), Trsm{matrix, row, step});
    }
  }
};

using CholeskyTasks = TaskSet<Potrf, Trsm, Syrk, Gemm>;

// The tasks of one device of several (shared_cholesky.h).
using SharedCholeskyTasks = TaskSet<Potrf, Trsm, Syrk, Gemm, TileArrived>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_TASKS_H_

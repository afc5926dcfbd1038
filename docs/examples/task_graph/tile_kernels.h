// SPDX-License-Identifier: Apache-2.0

// The four operations on tiles that factor a matrix, by the names of BLAS and LAPACK. A tile has
// `side` rows and columns, a multiple of kBlockSide, in panels of kBlockSide rows one after another
// (block_simd.h). The lanes of a Context share the work; one thread of a CPU uses vectors.
//
//   potrf(context, a, side);        // a := L with L L^T = a, in the lower triangle.
//   trsm(context, x, l, side);      // x := y with y l^T = x.
//   syrk(context, c, a, side);      // c := c - a a^T, the lower triangle.
//   gemm(context, c, a, b, side);   // c := c - a b^T.
//
// All lanes of an item call them, after a sync() that orders what the tiles hold; what a lane has
// written the others observe after another one.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILE_KERNELS_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILE_KERNELS_H_

#include <millrace/docs/examples/task_graph/block_simd.h>
#include <millrace/runtime/core/target_function.h>

#include <cmath>
#include <type_traits>

namespace millrace::examples {
namespace tiles {

// True for a Context in which one thread is known to be all the lanes.
template <class Context>
inline constexpr bool kIsOneThread = requires {
  typename std::enable_if_t<Context::lanes() == 1>;
};

// Blocks of a tile: rows and columns of blocks up to but without the ends.
struct BlockRange {
  int first_row;
  int end_row;
  int first_column;
  int end_column;
  bool is_lower;  // Excludes those above the diagonal.

  MILLRACE_FUNCTION bool has(int row, int column) const { return !is_lower || row >= column; }
};

MILLRACE_FUNCTION inline int panel_offset(int row, int side) { return row * kBlockSide * side; }

MILLRACE_FUNCTION inline int block_offset(int row, int column, int side) {
  return panel_offset(row, side) + column * kBlockElements;
}

// A lane's micro-tile of a block: 4 x 4 sums fit the registers of a GPU's thread.
inline constexpr int kMicroSide = 4;

struct alignas(2 * sizeof(double)) MicroColumn {
  double values[kMicroSide];
};

MILLRACE_FUNCTION inline MicroColumn load_column(const double* from) {
  return *reinterpret_cast<const MicroColumn*>(from);
}

MILLRACE_FUNCTION inline void subtract_micro_product(double* c, const double* a, const double* b,
                                                     int depth) {
  double sums[kMicroSide][kMicroSide] = {};
  for (int k = 0; k < depth; ++k) {
    const MicroColumn rows = load_column(a + k * kBlockSide);
    const MicroColumn columns = load_column(b + k * kBlockSide);
    for (int i = 0; i < kMicroSide; ++i) {
      for (int j = 0; j < kMicroSide; ++j) sums[i][j] += rows.values[i] * columns.values[j];
    }
  }
  for (int j = 0; j < kMicroSide; ++j) {
    for (int i = 0; i < kMicroSide; ++i) c[j * kBlockSide + i] -= sums[i][j];
  }
}

// The products of the panels of two tiles that are subtracted from a third one.
struct TileProduct {
  double* c;
  const double* a;
  const double* b;
  int side;   // Side of the tiles.
  int depth;  // Number of columns of the panels that count, from the first on.
};

// Subtracts a product from blocks of c. Adjacent lanes have adjacent rows, whose panels are
// adjacent in memory.
template <class Context>
MILLRACE_FUNCTION void subtract_by_lanes(Context& context, const TileProduct& product,
                                         const BlockRange& range) {
  const auto [c, a, b, side, depth] = product;
  constexpr int kMicroTiles = kBlockSide / kMicroSide;
  const int rows = (range.end_row - range.first_row) * kMicroTiles;
  const int columns = (range.end_column - range.first_column) * kMicroTiles;
  for (int i = context.lane(); i < rows * columns; i += context.lanes()) {
    const int micro_row = i % rows;
    const int micro_column = i / rows;
    const int row = range.first_row + micro_row / kMicroTiles;
    const int column = range.first_column + micro_column / kMicroTiles;
    if (!range.has(row, column)) continue;
    const int in_row = micro_row % kMicroTiles * kMicroSide;
    const int in_column = micro_column % kMicroTiles * kMicroSide;
    subtract_micro_product(c + block_offset(row, column, side) + in_column * kBlockSide + in_row,
                           a + panel_offset(row, side) + in_row,
                           b + panel_offset(column, side) + in_column, depth);
  }
}

template <class Context>
MILLRACE_FUNCTION void subtract_products(Context& context, const TileProduct& product,
                                         const BlockRange& range) {
  const auto [c, a, b, side, depth] = product;
  if (depth == 0) return;
  if constexpr (kIsOneThread<Context>) {
    for (int column = range.first_column; column < range.end_column; ++column) {
      for (int row = range.first_row; row < range.end_row; ++row) {
        if (!range.has(row, column)) continue;
        subtract_block_product(c + block_offset(row, column, side), a + panel_offset(row, side),
                               b + panel_offset(column, side), depth);
      }
    }
  } else {
    subtract_by_lanes(context, product, range);
  }
}

// Solves y l^T = x for one row of a block.
MILLRACE_FUNCTION inline void solve_row(double* x, const double* l) {
  double row[kBlockSide];
  for (int column = 0; column < kBlockSide; ++column) {
    double value = x[column * kBlockSide];
    for (int k = 0; k < column; ++k) value -= row[k] * l[k * kBlockSide + column];
    row[column] = value / l[column * kBlockSide + column];
    x[column * kBlockSide] = row[column];
  }
}

// Solves y l^T = x for blocks of a column, from `first_row` on, with the same block l.
template <class Context>
MILLRACE_FUNCTION void solve_blocks(Context& context, double* x, const double* l, int first_row,
                                    int column, int side) {
  if constexpr (kIsOneThread<Context>) {
    for (int row = first_row; row < side / kBlockSide; ++row) {
      solve_block(x + block_offset(row, column, side), l);
    }
  } else {
    for (int i = first_row * kBlockSide + context.lane(); i < side; i += context.lanes()) {
      solve_row(x + block_offset(i / kBlockSide, column, side) + i % kBlockSide, l);
    }
  }
}

// Factors the lower triangle of a block. Returns kBlockSide, or the first column at which the block
// is not positive definite.
MILLRACE_FUNCTION inline int factor_block(double* a) {
  for (int column = 0; column < kBlockSide; ++column) {
    double* const now = a + column * kBlockSide;
    if (!(now[column] > 0)) return column;
    now[column] = std::sqrt(now[column]);
    for (int row = column + 1; row < kBlockSide; ++row) now[row] /= now[column];
    for (int k = column + 1; k < kBlockSide; ++k) {
      for (int row = k; row < kBlockSide; ++row) a[k * kBlockSide + row] -= now[row] * now[k];
    }
  }
  return kBlockSide;
}

}  // namespace tiles

// Returns `side` to lane 0, or the first column at which the tile is not positive definite; to
// other lanes `side`.
template <class Context>
MILLRACE_FUNCTION int potrf(Context& context, double* a, int side) {
  const int blocks = side / kBlockSide;
  int good = side;
  for (int column = 0; column < blocks; ++column) {
    double* const diagonal = a + tiles::block_offset(column, column, side);
    tiles::subtract_products(context, {a, a, a, side, column * kBlockSide},
                             {column, blocks, column, column + 1, false});
    context.sync();
    if (context.lane() == 0) {
      const int factored = tiles::factor_block(diagonal);
      if (factored < kBlockSide && good == side) good = column * kBlockSide + factored;
    }
    context.sync();
    tiles::solve_blocks(context, a, diagonal, column + 1, column, side);
    context.sync();
  }
  return good;
}

template <class Context>
MILLRACE_FUNCTION void trsm(Context& context, double* x, const double* l, int side) {
  const int blocks = side / kBlockSide;
  for (int column = 0; column < blocks; ++column) {
    tiles::subtract_products(context, {x, x, l, side, column * kBlockSide},
                             {0, blocks, column, column + 1, false});
    context.sync();
    tiles::solve_blocks(context, x, l + tiles::block_offset(column, column, side), 0, column, side);
    context.sync();
  }
}

template <class Context>
MILLRACE_FUNCTION void syrk(Context& context, double* c, const double* a, int side) {
  const int blocks = side / kBlockSide;
  tiles::subtract_products(context, {c, a, a, side, side}, {0, blocks, 0, blocks, true});
  context.sync();
}

template <class Context>
MILLRACE_FUNCTION void gemm(Context& context, double* c, const double* a, const double* b,
                            int side) {
  const int blocks = side / kBlockSide;
  tiles::subtract_products(context, {c, a, b, side, side}, {0, blocks, 0, blocks, false});
  context.sync();
}

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILE_KERNELS_H_

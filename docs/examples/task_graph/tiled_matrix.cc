// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/cholesky_tasks.h>
#include <millrace/docs/examples/task_graph/tiled_matrix.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace millrace::examples {
namespace {

int checked_size(int size) {
  check_range("size", size, 1, kMaxCholeskySize);
  return size;
}

int checked_tile(int tile) {
  if (tile >= kBlockSide && tile <= kMaxCholeskyTile && tile % kBlockSide == 0) return tile;
  reject("tile is " + std::to_string(tile) + "; it must be a multiple of " +
         std::to_string(kBlockSide) + " up to " + std::to_string(kMaxCholeskyTile));
}

std::size_t count_tile_rows(int size, int tile) {
  const auto rows = static_cast<std::size_t>((size + tile - 1) / tile);
  if (rows <= kMaxCholeskyTiles) return rows;
  const std::size_t unit = kMaxCholeskyTiles * static_cast<std::size_t>(kBlockSide);
  const std::size_t least = (static_cast<std::size_t>(size) + unit - 1) / unit * kBlockSide;
  reject("tile is " + std::to_string(tile) + ", which makes " + std::to_string(rows) +
         " rows of tiles, more than " + std::to_string(kMaxCholeskyTiles) + "; it must be " +
         std::to_string(least) + " or more for a matrix of this size");
}

// A lower triangle by columns, each from its diagonal on.
class LowerColumns {
 public:
  explicit LowerColumns(const TiledMatrix& matrix)
      : size_(static_cast<std::size_t>(matrix.size())), elements_(size_ * (size_ + 1) / 2) {
    for (std::size_t column = 0; column < size_; ++column) {
      double* const to = &elements_[begin(column)];
      for (std::size_t row = column; row < size_; ++row) to[row - column] = matrix.at(row, column);
    }
  }

  // The element (row, column), and behind it those of the rows below.
  const double* from(std::size_t row, std::size_t column) const {
    return &elements_[begin(column) + row - column];
  }

 private:
  std::size_t begin(std::size_t column) const { return column * (2 * size_ - column + 1) / 2; }

  std::size_t size_;
  std::vector<double> elements_;
};

// Sums the squares of all elements of a symmetric matrix, given its lower triangle by columns.
class SymmetricSquares {
 public:
  void add(std::span<const double> from_diagonal) {
    sum_ += from_diagonal[0] * from_diagonal[0];
    for (const double value : from_diagonal.subspan(1)) sum_ += 2 * value * value;
  }
  double norm() const { return std::sqrt(sum_); }

 private:
  double sum_ = 0;
};

double frobenius_norm(const TiledMatrix& matrix) {
  const auto size = static_cast<std::size_t>(matrix.size());
  const LowerColumns columns(matrix);
  SymmetricSquares squares;
  for (std::size_t i = 0; i < size; ++i) squares.add({columns.from(i, i), size - i});
  return squares.norm();
}

}  // namespace

TiledMatrix::TiledMatrix(int size, int tile)
    : size_(checked_size(size)),
      tile_(checked_tile(tile)),
      tile_rows_(count_tile_rows(size, tile)),
      elements_(tile_index(tile_rows_, 0) * tile * tile) {
  const std::size_t filled = tile_rows_ * static_cast<std::size_t>(tile);
  for (std::size_t i = 0; i < filled; ++i) at(i, i) = 1;
}

std::size_t TiledMatrix::index(std::size_t row, std::size_t column) const {
  const auto side = static_cast<std::size_t>(tile_);
  const std::size_t in_row = row % side;
  const std::size_t panel = in_row / kBlockSide * kBlockSide * side;
  return tile_index(row / side, column / side) * side * side + panel + column % side * kBlockSide +
         in_row % kBlockSide;
}

TiledMatrix random_positive_definite(int size, int tile, std::uint64_t seed) {
  TiledMatrix matrix(size, tile);
  std::mt19937_64 random(seed);
  const auto rows = static_cast<std::size_t>(size);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const double value = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
      matrix.at(row, column) = row == column ? value + size : value;
    }
  }
  return matrix;
}

double cholesky_residual(const TiledMatrix& matrix, const TiledMatrix& factor) {
  const auto size = static_cast<std::size_t>(matrix.size());
  const LowerColumns a(matrix);
  const LowerColumns l(factor);
  SymmetricSquares squares;
  std::vector<double> difference;
  for (std::size_t column = 0; column < size; ++column) {
    difference.assign(a.from(column, column), a.from(column, column) + (size - column));
    for (std::size_t k = 0; k <= column; ++k) {
      const double* const other = l.from(column, k);
      const double scale = other[0];
      for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= other[i] * scale;
    }
    squares.add(difference);
  }
  const double unit = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  return squares.norm() / (frobenius_norm(matrix) * unit);
}

double cholesky_residual_bound(const TiledMatrix& matrix) {
  double trace = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.size()); ++i) {
    trace += matrix.at(i, i);
  }
  return (1 + 2.0 / matrix.size()) * trace / frobenius_norm(matrix);
}

}  // namespace millrace::examples

// SPDX-License-Identifier: Apache-2.0

// A symmetric matrix, or a lower triangle, in tiles on the host.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILED_MATRIX_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILED_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::examples {

inline constexpr int kMaxCholeskySize = 32768;         // Rows, 4.3 GB.
inline constexpr int kMaxCholeskyTile = 256;           // Rows of a tile.
inline constexpr std::size_t kMaxCholeskyTiles = 256;  // Rows of tiles, which make 2.8 M steps.

// The tiles of the lower triangle one after another, row by row, each as tile_kernels.h has it. The
// tiles at the end are filled up with rows and columns of the identity.
class TiledMatrix {
 public:
  // The identity. Throws kInvalidArgument for a size outside 1 to kMaxCholeskySize, for a tile that
  // is no multiple of 8 or not in 8 to kMaxCholeskyTile, and for more than kMaxCholeskyTiles.
  TiledMatrix(int size, int tile);

  int size() const { return size_; }
  int tile() const { return tile_; }
  std::size_t tile_rows() const { return tile_rows_; }

  // The element of row `row` and of a column up to that.
  double& at(std::size_t row, std::size_t column) { return elements_[index(row, column)]; }
  double at(std::size_t row, std::size_t column) const { return elements_[index(row, column)]; }

  // All tiles.
  std::span<double> elements() { return elements_; }
  std::span<const double> elements() const { return elements_; }

 private:
  std::size_t index(std::size_t row, std::size_t column) const;

  int size_;
  int tile_;
  std::size_t tile_rows_;
  std::vector<double> elements_;
};

// Returns a matrix whose elements are random in [-0.5, 0.5), with `size` added on the diagonal. It
// is strictly diagonally dominant, and so positive definite.
TiledMatrix random_positive_definite(int size, int tile, std::uint64_t seed);

// Returns |A - L L^T| / (|A| n eps) in Frobenius norms, by plain loops on this thread. A is
// symmetric, L the lower triangle of `factor`.
double cholesky_residual(const TiledMatrix& matrix, const TiledMatrix& factor);

// Returns what that residual is at most in floating-point arithmetic: (1 + 2 / n) tr(A) / |A|.
//
// N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 10.3: each element of
// A - L L^T is at most that of g |L| |L^T|, with g = (n + 1) u / (1 - (n + 1) u) and u = eps / 2.
// The norm of |L| |L^T| is at most that of L squared, which is tr(L L^T), and that is nearly tr(A).
// Computing the residual adds as much again. What the roundings of the bound's own terms add is of
// the order of n u, which 2 / n instead of 1 / n covers.
double cholesky_residual_bound(const TiledMatrix& matrix);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_TILED_MATRIX_H_

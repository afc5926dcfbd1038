// SPDX-License-Identifier: Apache-2.0

// Points in the order of the cells of a grid of squares, two radii wide: all points that a point
// can make a 3-star with are in its own cell and the eight around it.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CELL_GRID_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CELL_GRID_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::three_star {

// A range of indices in the order of cells.
struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  MILLRACE_FUNCTION constexpr std::uint32_t size() const { return end - begin; }
};

// Immutable after construction.
class CellGrid {
 public:
  // Vectors may read this many elements behind the last of an array.
  static constexpr std::size_t kPadding = 64;

  struct Cell {
    std::int64_t row = 0;
    std::int64_t column = 0;
    IndexRange points;
  };

  // The points with which a cell's points can make 3-stars as lowest corners: those of three cells
  // of its row, and of three above.
  struct Neighbours {
    IndexRange beside;
    IndexRange above;

    MILLRACE_FUNCTION std::uint32_t size() const { return beside.size() + above.size(); }

    // Returns the grid's index of a neighbour, which is named by its index here; those beside come
    // first.
    MILLRACE_FUNCTION std::uint32_t grid_index(std::uint32_t local) const {
      return local < beside.size() ? beside.begin + local : above.begin + (local - beside.size());
    }
    // Returns the index here of a neighbour, which is named by its index in the grid.
    MILLRACE_FUNCTION std::uint32_t local_index(std::uint32_t in_grid) const {
      return in_grid - beside.begin < beside.size() ? in_grid - beside.begin
                                                    : beside.size() + (in_grid - above.begin);
    }
  };

  // Sorts by `queue`'s device; the team of host threads does the rest. `points` are in host memory
  // and at most 2^32 - 1. `names` are the points' ids; none: their indices in `points`.
  CellGrid(Queue& queue, std::span<const Point> points, std::int32_t radius,
           std::span<const std::uint32_t> names = {});

  // Makes the grid of points whose order is known: `order` are their indices by the numbers of
  // their cells (cell_numbers.h), those of a cell in the order given.
  CellGrid(std::span<const Point> points, std::int32_t radius, std::span<const std::uint32_t> order,
           std::span<const std::uint32_t> names = {});

  // Cells that have points, by rows.
  std::span<const Cell> cells() const { return cells_; }
  std::size_t cell_of(std::uint32_t index) const;
  Neighbours neighbours(std::size_t cell) const;

  std::size_t points() const { return points_; }
  // Coordinates, and the points' ids, in the order of cells, with kPadding more elements.
  const std::int32_t* x() const { return x_.get(); }
  const std::int32_t* y() const { return y_.get(); }
  const std::uint32_t* ids() const { return ids_.get(); }

 private:
  // Returns the points from the first cell of the row at `column` or further right to the last one
  // at most two columns further.
  IndexRange three_cells(std::int64_t row, std::int64_t column) const;

  // Stores the points [begin, end) of the order and returns their cells.
  std::vector<Cell> arrange(std::span<const Point> points, std::int32_t radius,
                            std::span<const std::uint32_t> order,
                            std::span<const std::uint32_t> names, std::size_t begin,
                            std::size_t end);

  std::size_t points_;
  std::vector<Cell> cells_;
  std::unique_ptr<std::int32_t[]> x_;
  std::unique_ptr<std::int32_t[]> y_;
  std::unique_ptr<std::uint32_t[]> ids_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CELL_GRID_H_

// SPDX-License-Identifier: Apache-2.0

// Sorts positions into the cells of a grid of squares, to find neighbours.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_GRID_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_GRID_H_

#include <millrace/algorithms/three_star/placement/position.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Immutable after construction.
class PositionGrid {
 public:
  struct Cell {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::uint32_t begin = 0;  // Range of its positions in the order of cells.
    std::uint32_t end = 0;
  };

  // Cells are `side` wide. The positions are copied.
  PositionGrid(std::span<const Position> positions, double side);

  // Cells that have positions, by rows.
  std::span<const Cell> cells() const { return cells_; }

  // Returns the indices of the positions in a cell, in ascending order.
  std::span<const std::uint32_t> members(const Cell& cell) const {
    return std::span(ids_).subspan(cell.begin, cell.end - cell.begin);
  }

  // Calls visit(cell) for the cells that are no more than `reach` rows and columns away.
  template <class Visit>
  void for_each_cell(std::int64_t row, std::int64_t column, int reach, const Visit& visit) const {
    for (std::int64_t r = row - reach; r <= row + reach; ++r) {
      for (std::size_t i = first_from(r, column - reach); i < cells_.size(); ++i) {
        if (cells_[i].row != r || cells_[i].column > column + reach) break;
        visit(cells_[i]);
      }
    }
  }

  // Calls visit(index) for the positions in cells up to `reach` away from that of `position`: all
  // that are within `reach` sides, and more.
  template <class Visit>
  void for_each_near(const Position& position, int reach, const Visit& visit) const {
    for_each_cell(step(position.y), step(position.x), reach, [&](const Cell& cell) {
      for (const std::uint32_t id : members(cell)) visit(id);
    });
  }

 private:
  std::int64_t step(double coordinate) const;
  std::size_t first_from(std::int64_t row, std::int64_t column) const;

  const double side_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_GRID_H_

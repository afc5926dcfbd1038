// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/paper/paper_cells.h>

#include <algorithm>
#include <span>
#include <tuple>

namespace millrace::three_star {
namespace {

using Cell = CellGrid::Cell;

IndexRange points_of(std::span<const Cell> cells, std::int64_t row, std::int64_t column) {
  const auto found = std::partition_point(cells.begin(), cells.end(), [=](const Cell& cell) {
    return std::tie(cell.row, cell.column) < std::tie(row, column);
  });
  if (found == cells.end() || found->row != row || found->column != column) return {};
  return found->points;
}

}  // namespace

std::vector<PaperCell> paper_cells(const CellGrid& grid) {
  std::vector<PaperCell> result;
  result.reserve(grid.cells().size());
  for (const Cell& own : grid.cells()) {
    const auto near = [&](int down, int right) {
      return points_of(grid.cells(), own.row + down, own.column + right);
    };
    result.push_back({{own.points, near(1, 0), near(-1, 1), near(0, 1), near(1, 1)}});
  }
  return result;
}

}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0

// The range of lowest corners whose 3-stars a search finds.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_RANGE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_RANGE_H_

#include <millrace/algorithms/three_star/cell_grid.h>

#include <cstdint>

namespace millrace::three_star {

struct SearchRange {
  // Lowest corners, by their indices in the order of cells of the searched points.
  IndexRange corners;

  // The grid of chunks, which outlives the search; null: that of the points. It has them from
  // `points_before` on in the order they have by themselves, also within a cell: they are all of
  // its points, or a strip of them (strip_plan.h) in its order. 3-stars are then counted or put
  // into chunks.
  const CellGrid* grid = nullptr;
  std::uint32_t points_before = 0;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_RANGE_H_

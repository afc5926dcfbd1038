// SPDX-License-Identifier: Apache-2.0

// Expected work of the lowest corners of a grid's cells, in the order of cells, for callers that
// distribute it.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_CELL_WORK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_CELL_WORK_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/algorithms/three_star/point.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::three_star {

class CellWork {
 public:
  // Adds the next cell: its points, each of which has `around` points (CellGrid::neighbours) to
  // make 3-stars with.
  void add(std::uint32_t points, std::uint64_t around);

  // Returns the work of all corners, in roughly equal units, for pairs tested.
  std::uint64_t work() const { return work_.back(); }
  std::uint32_t points() const { return points_.back(); }

  // Returns the first corner with this much work before it, or points().
  std::uint32_t corner_at(std::uint64_t work) const;

  // Returns the corners whose work begins in [begin, end), at most work(): adjoining ranges have
  // all of them, each once.
  IndexRange corners(std::uint64_t begin, std::uint64_t end) const {
    return {corner_at(begin), corner_at(end)};
  }

 private:
  std::vector<std::uint64_t> work_ = {0};    // Work before each cell, and of all.
  std::vector<std::uint32_t> points_ = {0};  // Points before each cell, and of all.
};

// Estimates the work of points in the order of their CellGrid without making that: many points are
// sampled, and the others are assumed to be like the sample. Returns none if there would be very
// many cells.
std::optional<CellWork> estimated_work(std::span<const Point> points, std::int32_t radius);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_CELL_WORK_H_

// SPDX-License-Identifier: Apache-2.0

// What the lowest corners of a grid's cells are expected to take, in the order of places: for who
// shares them out.
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
  // Adds the cell behind those there are: so many points, each of which has the points `around` it
  // (CellGrid::neighbours) to make 3-stars with.
  void add(std::uint32_t points, std::uint64_t around);

  // Of all corners, in units that are about even: for pairs tried.
  std::uint64_t work() const { return work_.back(); }
  std::uint32_t points() const { return places_.back(); }

  // The first corner that has as much work before it, or points().
  std::uint32_t corner_at(std::uint64_t work) const;

  // The corners whose work begins from `begin` to before `end`, at most work(): adjoining ranges
  // have all of them, each once.
  PlaceRange corners(std::uint64_t begin, std::uint64_t end) const {
    return {corner_at(begin), corner_at(end)};
  }

 private:
  std::vector<std::uint64_t> work_ = {0};  // Before each cell, and in all.
  std::vector<std::uint32_t> places_ = {0};
};

// Of points in the order of their CellGrid without making that: of many points some are looked at,
// and the others are taken to be like them. None where there would be very many cells.
std::optional<CellWork> estimated_work(std::span<const Point> points, std::int32_t radius);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_CELL_WORK_H_

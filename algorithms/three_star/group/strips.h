// SPDX-License-Identifier: Apache-2.0

// A search for 3-stars cut into strips that need nothing of each other: for devices, for processes.
//
// A 3-star belongs to the strip that has its lowest corner: the one with the least y and, of those,
// the least x; its corners are at different places, so there is just one. A strip is points one
// behind the other in the order of cells, also parts of a cell, and what can be found with them is
// among these and the halo: points up to a cell before them, and up to a row and a cell behind.
//
//   const StripPlan plan(grid);
//   const Strip strip = plan.strip(0, plan.work() / 2);
//   const StripPoints some(grid, strip);       // To be given to whoever searches it.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIPS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIPS_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/group/cell_work.h>
#include <millrace/algorithms/three_star/point.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Places in a grid's order.
struct Strip {
  PlaceRange corners;  // The lowest corners that are the strip's.
  PlaceRange points;   // They and their halo; nothing where there are no corners.
};

// The points of a strip, in their grid's order: that a grid of them alone has the same order makes
// a place there `strip.points.begin` less than its place in the whole grid.
struct StripPoints {
  StripPoints(const CellGrid& grid, const Strip& strip);

  std::vector<Point> points;
  std::vector<std::uint32_t> ids;  // Which point of all each of them is.
  PlaceRange corners;              // Places among them.
};

// Immutable once made.
class StripPlan {
 public:
  // Of a grid that outlives it.
  explicit StripPlan(const CellGrid& grid);

  // What all corners are expected to take (CellWork::work).
  std::uint64_t work() const { return work_.work(); }

  // The strip of the corners whose work begins from `begin` to before `end`, at most work(): strips
  // of adjoining ranges have all corners, each once.
  Strip strip(std::uint64_t begin, std::uint64_t end) const;

  // Strips for all corners, of shares of the work like `weights`; throws as sum_of_weights()
  // (runtime/group/work_sharing.h).
  std::vector<Strip> strips(std::span<const double> weights) const;

 private:
  const CellGrid& grid_;
  CellWork work_;
  std::vector<PlaceRange> near_;  // Of each cell: the first and the end of all it needs.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIPS_H_

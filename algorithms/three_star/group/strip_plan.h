// SPDX-License-Identifier: Apache-2.0

// Cuts a search for 3-stars into strips that need nothing of each other: for devices, for
// processes.
//
// A 3-star belongs to the strip that has its lowest corner: the one with the least y and, among
// those, the least x. Its corners are at different positions, so there is just one. A strip is
// adjacent points in the order of cells; it may begin and end within a cell. Its 3-stars consist of
// these and the halo: points up to a cell before them, and up to a row and a cell behind.
//
//   const StripPlan plan(grid);
//   const Strip strip = plan.strip(0, plan.work() / 2);
//   const StripPoints some(grid, strip);       // Input of a search of the strip.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_PLAN_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_PLAN_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/group/cell_work.h>
#include <millrace/algorithms/three_star/point.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Ranges of indices in a grid's order.
struct Strip {
  IndexRange corners;  // The strip's lowest corners.
  IndexRange points;   // The corners and their halo; empty if there are no corners.
};

// The points of a strip, in their grid's order. A grid of them alone has the same order, so an
// index there is `strip.points.begin` less than the index in the whole grid.
struct StripPoints {
  StripPoints(const CellGrid& grid, const Strip& strip);

  std::vector<Point> points;
  std::vector<std::uint32_t> ids;  // Ids among all points.
  IndexRange corners;              // Indices among them.
};

// Immutable after construction.
class StripPlan {
 public:
  // `grid` outlives this object.
  explicit StripPlan(const CellGrid& grid);

  // Returns the expected work of all corners (CellWork::work).
  std::uint64_t work() const { return work_.work(); }

  // Returns the strip of the corners whose work begins in [begin, end), at most work(): strips of
  // adjoining ranges have all corners, each once.
  Strip strip(std::uint64_t begin, std::uint64_t end) const;

  // Returns strips for all corners, whose work is proportional to `weights`. Throws as
  // sum_of_weights() (runtime/group/item_sharing.h).
  std::vector<Strip> strips(std::span<const double> weights) const;

 private:
  const CellGrid& grid_;
  CellWork work_;
  std::vector<IndexRange> near_;  // Range of all points that each cell needs.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_PLAN_H_

// SPDX-License-Identifier: Apache-2.0

// Polygons in which no relay may be placed.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_FORBIDDEN_AREA_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_FORBIDDEN_AREA_H_

#include <millrace/algorithms/three_star/placement/position.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Corners in order; the last one is joined to the first.
using Ring = std::vector<Position>;

// A position is inside if a ray from it crosses the rings an odd number of times, so rings within
// others are holes.
struct AreaPolygon {
  std::vector<Ring> rings;
};

// Immutable after construction. Positions are in units of the sensors' grid.
class ForbiddenArea {
 public:
  ForbiddenArea() = default;

  // Positions within `clearance` of a border belong to the area, too.
  ForbiddenArea(std::span<const AreaPolygon> polygons, double clearance);

  bool empty() const { return edges_.empty(); }

  // Returns true if the position is inside a polygon, or within the clearance of a border.
  bool contains(const Position& position) const;

 private:
  struct Edge {
    Position from;
    Position to;
    std::uint32_t polygon;
  };

  std::size_t row_of(double y) const;

  double clearance_ = 0;
  double low_ = 0;  // Least y of the area, with the clearance.
  double high_ = 0;
  double row_height_ = 1;
  std::vector<Edge> edges_;
  std::vector<std::size_t> row_starts_;   // Each row's first index in row_edges_, and its end.
  std::vector<std::uint32_t> row_edges_;  // Edges that reach into each row, by polygons.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_FORBIDDEN_AREA_H_

// SPDX-License-Identifier: Apache-2.0

// Sorts sensors by squares of half a radius. All sensors of a square are within reach of each
// other, so they are of one component; squares bound the work among near sensors without testing
// pairs.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_SQUARES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_SQUARES_H_

#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Immutable after construction.
class RelaySquares {
 public:
  using Square = PositionGrid::Cell;

  // `sensors` are of components at distances of more than `radius` from each other. Sensors are
  // named by their indices there; `components`, one for each, must outlive this object.
  RelaySquares(std::span<const Position> sensors, std::span<const std::uint32_t> components,
               std::int32_t radius)
      : components_(components), grid_(sensors, radius / 2.0) {}

  std::span<const Square> squares() const { return grid_.cells(); }
  std::span<const std::uint32_t> members(const Square& square) const {
    return grid_.members(square);
  }
  std::uint32_t component_of(const Square& square) const {
    return components_[grid_.members(square)[0]];
  }

  // Calls visit(square) for all squares that may have a sensor within two radii of one in `square`,
  // including itself.
  template <class Visit>
  void for_each_near(const Square& square, const Visit& visit) const {
    grid_.for_each_cell(square.row, square.column, kReach, [&](const Square& other) {
      const std::int64_t rows = gap(square.row, other.row);
      const std::int64_t columns = gap(square.column, other.column);
      if (rows * rows + columns * columns < kReach * kReach) visit(other);
    });
  }

  // Returns the sensors, in ascending order, whose square has squares of two other components near:
  // all that have sensors of two others within two radii, and a small number more.
  std::vector<std::uint32_t> between_three_components() const;

  // Upper bounds of the number of triples of sensors that are within two radii of each other.
  struct Triples {
    double all = 0;
    double of_three = 0;  // Triples of three components.
  };
  Triples most_triples() const;

 private:
  static constexpr int kReach = 4;  // Two radii.

  // Returns the number of whole squares between two.
  static std::int64_t gap(std::int64_t a, std::int64_t b) {
    const std::int64_t difference = a < b ? b - a : a - b;
    return difference == 0 ? 0 : difference - 1;
  }

  const std::span<const std::uint32_t> components_;
  const PositionGrid grid_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_SQUARES_H_

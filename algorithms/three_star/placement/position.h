// SPDX-License-Identifier: Apache-2.0

// Positions of relays, which are not on the grid of the sensors.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_H_

#include <millrace/algorithms/three_star/point.h>

#include <span>
#include <vector>

namespace millrace::three_star {

// Counted in units of the sensors' grid.
struct Position {
  double x = 0;
  double y = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

// Exact between sensors at distances up to 2^26 units, so that they can be compared with a radius.
inline double squared_distance(const Position& a, const Position& b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  return x * x + y * y;
}

inline Position position_of(const Point& sensor) {
  return {static_cast<double>(sensor.x), static_cast<double>(sensor.y)};
}

inline std::vector<Position> positions_of(std::span<const Point> sensors) {
  std::vector<Position> positions;
  positions.reserve(sensors.size());
  for (const Point& sensor : sensors) positions.push_back(position_of(sensor));
  return positions;
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_POSITION_H_

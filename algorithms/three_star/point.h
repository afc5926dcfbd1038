// SPDX-License-Identifier: Apache-2.0

// Sensors, and the 3-stars that the search finds among them.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_

#include <compare>
#include <cstdint>

namespace millrace::three_star {

// The position of a sensor on a grid of whole units. Any two coordinates are valid.
struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

// Three sensors that one relay can connect: their indices among the points, a < b < c.
struct ThreeStar {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  friend auto operator<=>(const ThreeStar&, const ThreeStar&) = default;
};

// Range of a sensor in units of the grid: 1 to kMostRadius. Products of six lengths up to 2
// kMostRadius, which decide whether three points are a 3-star, stay below 2^126.
inline constexpr std::int32_t kMostRadius = (1 << 20) - 1;

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_

// SPDX-License-Identifier: Apache-2.0

// Sensors and what the search for 3-stars finds among them.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_

#include <compare>
#include <cstdint>

namespace millrace::three_star {

// A sensor's place on a grid of whole units. Any two coordinates will do, also far apart.
struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

// Three sensors that one relay can connect: their places among the points, a < b < c.
struct ThreeStar {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  friend auto operator<=>(const ThreeStar&, const ThreeStar&) = default;
};

// How far a sensor sends, in units of the grid: 1 to kMostRadius. Products of six lengths up to
// 2 kMostRadius, which decide what is a 3-star, stay below 2^126.
inline constexpr std::int32_t kMostRadius = (1 << 20) - 1;

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_POINT_H_

// SPDX-License-Identifier: Apache-2.0

// Defines 3-stars exactly, in integers, for host and device.
//
// A 3-star is three points whose distances from each other are all more than R, the radius, and
// whose circumscribed circle has a radius r of at most R: after Lee, Lo, Chen, Chung and Chung,
// "GPU Performance Enhancement via Communication Cost Reduction", section III.C. The constant in
// their formula (1) is wrong: r = abc / (4 area). With A, B, C the squared sides and `cross` twice
// the area, r <= R says A B C <= 4 R^2 cross^2.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_STAR_MATH_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_STAR_MATH_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::three_star {

__extension__ using Wide = unsigned __int128;

// The vector from one point to another.
struct Offset {
  std::int64_t x;
  std::int64_t y;

  MILLRACE_FUNCTION constexpr std::int64_t squared() const { return x * x + y * y; }
};

MILLRACE_FUNCTION constexpr Offset offset(const Point& from, const Point& to) {
  return {std::int64_t{to.x} - from.x, std::int64_t{to.y} - from.y};
}

// Returns twice the area of the triangle that two sides span; positive if `b` is counterclockwise
// of `a`.
MILLRACE_FUNCTION constexpr std::int64_t cross(const Offset& a, const Offset& b) {
  return a.x * b.y - a.y * b.x;
}

// Returns true if a side of a 3-star can be this long: more than R, and no more than the circle is
// wide.
MILLRACE_FUNCTION constexpr bool is_side(const Offset& side, std::int64_t radius) {
  const std::int64_t most = 2 * radius;
  if (side.x < -most || side.x > most || side.y < -most || side.y > most) return false;
  const std::int64_t squared = side.squared();
  return squared > radius * radius && squared <= most * most;
}

// Returns true if the triangle with a corner at the origin and those two sides is a 3-star.
MILLRACE_FUNCTION constexpr bool is_three_star(const Offset& a, const Offset& b,
                                               std::int64_t radius) {
  const Offset c = {b.x - a.x, b.y - a.y};
  if (!is_side(a, radius) || !is_side(b, radius) || !is_side(c, radius)) return false;
  const std::int64_t signed_area = cross(a, b);
  const std::int64_t area = signed_area < 0 ? -signed_area : signed_area;
  const auto twice_area = static_cast<Wide>(area);
  const std::int64_t diameter = 2 * radius;
  const auto most = static_cast<Wide>(diameter);
  return static_cast<Wide>(a.squared()) * static_cast<Wide>(b.squared()) *
             static_cast<Wide>(c.squared()) <=
         most * most * twice_area * twice_area;
}

MILLRACE_FUNCTION constexpr bool is_three_star(const Point& a, const Point& b, const Point& c,
                                               std::int64_t radius) {
  return is_three_star(offset(a, b), offset(a, c), radius);
}

// Returns true if the origin is before the other point: below it, or on its left. The first of
// three points is their lowest corner.
MILLRACE_FUNCTION constexpr bool is_before(const Offset& to_other) {
  return to_other.y > 0 || (to_other.y == 0 && to_other.x > 0);
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_STAR_MATH_H_

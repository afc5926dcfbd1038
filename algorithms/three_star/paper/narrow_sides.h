// SPDX-License-Identifier: Apache-2.0

// Tests a triple as the paper does by arithmetic, exactly, in integers; for host and device. Its
// test by tables is in paper_tables.h.
//
// All tests have the same two steps: the side between two points, 0 if no side of a 3-star is that
// long, and the check that three sides are those of one. With A, B and C the squared sides,
// star_math.h's A B C <= 4 R^2 cross^2 is
//
//   R^2 C^2 + (A B - 2 R^2 (A + B)) C + R^2 (A - B)^2 <= 0
//
// because 4 cross^2 = 4 A B - (A + B - C)^2. It is convex in C: for two sides, the third ones are
// between two bounds, as in the paper's table.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_NARROW_SIDES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_NARROW_SIDES_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::three_star {

// The vector from one point to another, whose coordinates differ by less than 2^31.
struct NarrowOffset {
  std::int32_t x;
  std::int32_t y;
};

MILLRACE_FUNCTION constexpr NarrowOffset narrow_offset(const Point& from, const Point& to) {
  const auto difference = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(b) - static_cast<std::uint32_t>(a));
  };
  return {difference(from.x, to.x), difference(from.y, to.y)};
}

// Sides for radii up to kMostRadius; points are in adjacent cells.
class NarrowSides {
 public:
  using Side = std::int32_t;  // Squared.

  // The sum of 96 sixth powers of the radius stays below 2^63.
  static constexpr std::int32_t kMostRadius = 600;

  MILLRACE_FUNCTION constexpr explicit NarrowSides(std::int32_t radius)
      : squared_radius_(radius * radius) {}

  MILLRACE_FUNCTION constexpr Side side(const Point& a, const Point& b) const {
    const NarrowOffset offset = narrow_offset(a, b);
    const std::int32_t squared = offset.x * offset.x + offset.y * offset.y;
    return squared > squared_radius_ && squared <= 4 * squared_radius_ ? squared : 0;
  }

  MILLRACE_FUNCTION constexpr bool is_three_star(Side a, Side b, Side c) const {
    const std::int64_t radius = squared_radius_;
    const std::int64_t difference = a - b;
    const std::int64_t linear = std::int64_t{a} * b - 2 * radius * (a + b);
    return (radius * c + linear) * c + radius * difference * difference <= 0;
  }

 private:
  std::int32_t squared_radius_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_NARROW_SIDES_H_

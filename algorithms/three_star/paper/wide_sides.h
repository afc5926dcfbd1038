// SPDX-License-Identifier: Apache-2.0

// Tests a triple as narrow_sides.h does, for radii of any length.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_WIDE_SIDES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_WIDE_SIDES_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::three_star {

// Sides for all radii.
class WideSides {
 public:
  using Side = std::int64_t;  // Squared.

  MILLRACE_FUNCTION constexpr explicit WideSides(std::int32_t radius) : radius_(radius) {}

  MILLRACE_FUNCTION constexpr Side side(const Point& a, const Point& b) const {
    const Offset between = offset(a, b);
    return is_side(between, radius_) ? between.squared() : 0;
  }

  MILLRACE_FUNCTION constexpr bool is_three_star(Side a, Side b, Side c) const {
    const std::int64_t off = a + b - c;
    const auto magnitude = static_cast<Wide>(off < 0 ? -off : off);
    const Wide product = static_cast<Wide>(a) * static_cast<Wide>(b);
    const auto radius = static_cast<Wide>(radius_);
    return product * static_cast<Wide>(c) <=
           radius * radius * (4 * product - magnitude * magnitude);
  }

 private:
  std::int64_t radius_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_WIDE_SIDES_H_

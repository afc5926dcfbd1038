// SPDX-License-Identifier: Apache-2.0

// Checks the arguments of all searches.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_ARGUMENTS_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/check.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace millrace::three_star {

// Both throw Error(kInvalidArgument).
inline void check_radius(std::int32_t radius) { check_range("radius", radius, 1, kMostRadius); }

inline void check_points(std::span<const Point> points) {
  constexpr std::size_t kMostPoints = std::numeric_limits<std::uint32_t>::max();
  if (points.size() <= kMostPoints) return;
  reject("there are " + std::to_string(points.size()) + " points; there must be at most " +
         std::to_string(kMostPoints));
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_SEARCH_ARGUMENTS_H_

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/algorithms/three_star/three_star_reference.h>

namespace millrace::three_star {

std::vector<ThreeStar> find_three_stars_reference(std::span<const Point> points,
                                                  std::int32_t radius) {
  std::vector<ThreeStar> found;
  const auto count = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (!is_side(offset(points[a], points[b]), radius)) continue;
      for (std::uint32_t c = b + 1; c < count; ++c) {
        if (is_three_star(points[a], points[b], points[c], radius)) found.push_back({a, b, c});
      }
    }
  }
  return found;
}

}  // namespace millrace::three_star

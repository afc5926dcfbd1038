// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>

#include <cstdint>

namespace millrace::three_star {

std::vector<Point> random_points(std::size_t count, std::int32_t width) {
  std::uint64_t state = 1;
  const auto next = [&] {
    const std::uint64_t random = split_mix(state);
    state += 0x9E3779B97F4A7C15;
    return static_cast<std::int32_t>((random >> 32) * static_cast<std::uint64_t>(width) >> 32);
  };
  std::vector<Point> points(count);
  for (Point& point : points) {
    point.x = next();
    point.y = next();
  }
  return points;
}

}  // namespace millrace::three_star

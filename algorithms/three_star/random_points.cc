// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/runtime/host/splitmix64.h>

#include <cstdint>

namespace millrace::three_star {

std::vector<Point> random_points(std::size_t count, std::int32_t width) {
  SplitMix64 random(1);
  const auto next = [&] {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(width)));
  };
  std::vector<Point> points(count);
  for (Point& point : points) {
    point.x = next();
    point.y = next();
  }
  return points;
}

}  // namespace millrace::three_star

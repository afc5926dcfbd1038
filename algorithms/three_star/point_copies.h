// SPDX-License-Identifier: Apache-2.0

// Removes 3-stars that were found several times because of copies of points.
//
// If the plane of a search consists of several projections of one sphere, a point near the edge of
// a region is searched as a copy in its neighbours as well. A 3-star counts once: where the first
// of its points in the input is not a copy.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_POINT_COPIES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_POINT_COPIES_H_

#include <millrace/algorithms/three_star/point.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

class PointCopies {
 public:
  // Points from `originals` on are copies of those that `origins` names, which must outlive this
  // object.
  PointCopies(std::size_t originals, std::span<const std::uint32_t> origins)
      : originals_(originals), origins_(origins) {}

  bool empty() const { return origins_.empty(); }

  // Sets `kept` to those of `stars` that count, of original points. Any thread may call.
  void keep_meant(std::span<const ThreeStar> stars, std::vector<ThreeStar>& kept) const {
    kept.clear();
    for (const ThreeStar& star : stars) {
      std::uint32_t points[] = {star.a, star.b, star.c};
      for (std::uint32_t& point : points) point = origin(point);
      const std::size_t first = std::min_element(points, points + 3) - points;
      const std::uint32_t searched[] = {star.a, star.b, star.c};
      if (searched[first] >= originals_) continue;
      std::sort(points, points + 3);
      kept.push_back({points[0], points[1], points[2]});
    }
  }

 private:
  std::uint32_t origin(std::uint32_t point) const {
    return point < originals_ ? point : origins_[point - originals_];
  }

  std::size_t originals_;
  std::span<const std::uint32_t> origins_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_POINT_COPIES_H_

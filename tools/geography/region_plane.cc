// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/geography/region_plane.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace millrace::tools {
namespace {

using three_star::Position;

// Extent of a region on its own grid, in steps.
struct GridExtent {
  std::int64_t left = 0;
  std::int64_t bottom = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

// Moves rectangles to shelves from the bottom left corner of the grid on, the highest first.
// Returns false if the grid is too small.
bool move_to_shelves(std::vector<GridExtent>& rectangles, std::int64_t shelf, std::int64_t gap) {
  std::vector<std::size_t> order(rectangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rectangles[a].height > rectangles[b].height;
  });
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t height = 0;
  for (const std::size_t i : order) {
    GridExtent& rectangle = rectangles[i];
    if (x > 0 && x + rectangle.width > shelf) {
      x = 0;
      y += height + gap;
      height = 0;
    }
    if (rectangle.width > shelf || y + rectangle.height > kMost - kLeast) return false;
    rectangle.left = kLeast + x;
    rectangle.bottom = kLeast + y;
    height = std::max(height, rectangle.height);
    x += rectangle.width + gap;
  }
  return true;
}

// Packs the rectangles into an approximate square, or else over the width of the grid.
bool pack(std::vector<GridExtent>& rectangles, std::int64_t gap) {
  double area = 0;
  std::int64_t widest = 0;
  for (const GridExtent& rectangle : rectangles) {
    area +=
        static_cast<double>(rectangle.width + gap) * static_cast<double>(rectangle.height + gap);
    widest = std::max(widest, rectangle.width);
  }
  const double square = std::min(1.2 * std::sqrt(area), static_cast<double>(kMost - kLeast));
  const auto shelf = std::max(widest, static_cast<std::int64_t>(square));
  return move_to_shelves(rectangles, shelf, gap) ||
         move_to_shelves(rectangles, kMost - kLeast, gap);
}

// Projection of a region to its own grid, with whole numbers of steps.
class RegionGrid {
 public:
  RegionGrid(const SphereRegion& region, double reach, double step)
      : projection_(Stereographic::balanced(lat_lng_of(region.centre), region.radius + reach)),
        step_(step) {}

  Position round(const Direction& position) const {
    const Position metres = projection_.to_plane(position);
    return {std::round(metres.x / step_), std::round(metres.y / step_)};
  }

 private:
  Stereographic projection_;
  double step_;
};

}  // namespace

std::optional<RegionPlane> lay_out(std::span<const Direction> points, const SphereRegions& regions,
                                   double reach, double step, std::int64_t gap) {
  RegionPlane plane;
  std::vector<GridExtent> rectangles;
  std::vector<Position> corners;  // Corners of each region, on its own grid.
  std::vector<Position> positions(regions.members.size());
  for (const SphereRegion& region : regions.regions) {
    const RegionGrid grid(region, reach, step);
    Position low = grid.round(points[regions.members[region.first]]);
    Position high = low;
    for (std::size_t i = region.first; i < region.end; ++i) {
      positions[i] = grid.round(points[regions.members[i]]);
      low = {std::min(low.x, positions[i].x), std::min(low.y, positions[i].y)};
      high = {std::max(high.x, positions[i].x), std::max(high.y, positions[i].y)};
    }
    if (!(std::max(high.x - low.x, high.y - low.y) < 0x1p32)) return {};
    rectangles.push_back({.width = static_cast<std::int64_t>(high.x - low.x),
                          .height = static_cast<std::int64_t>(high.y - low.y)});
    corners.push_back(low);
    const ScaleRange scale = balanced_scale(region.radius + reach, reach);
    plane.scale = {std::min(plane.scale.least, scale.least),
                   std::max(plane.scale.most, scale.most)};
  }
  if (!pack(rectangles, gap)) return {};
  plane.points.resize(points.size());
  for (std::size_t r = 0; r < regions.regions.size(); ++r) {
    const SphereRegion& region = regions.regions[r];
    for (std::size_t i = region.first; i < region.end; ++i) {
      const auto x = static_cast<std::int64_t>(positions[i].x - corners[r].x) + rectangles[r].left;
      const auto y =
          static_cast<std::int64_t>(positions[i].y - corners[r].y) + rectangles[r].bottom;
      const three_star::Point position = {static_cast<std::int32_t>(x),
                                          static_cast<std::int32_t>(y)};
      if (i < region.core_end) {
        plane.points[regions.members[i]] = position;
      } else {
        plane.points.push_back(position);
        plane.origins.push_back(regions.members[i]);
      }
    }
  }
  return plane;
}

}  // namespace millrace::tools

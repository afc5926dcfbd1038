// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/runtime/group/item_sharing.h>

#include <algorithm>
#include <cstddef>

namespace millrace::three_star {
StripPoints::StripPoints(const CellGrid& grid, const Strip& strip)
    : corners{strip.corners.begin - strip.points.begin, strip.corners.end - strip.points.begin} {
  points.resize(strip.points.size());
  std::transform(grid.x() + strip.points.begin, grid.x() + strip.points.end,
                 grid.y() + strip.points.begin, points.begin(), [](std::int32_t x, std::int32_t y) {
                   return Point{x, y};
                 });
  ids.assign(grid.ids() + strip.points.begin, grid.ids() + strip.points.end);
}

StripPlan::StripPlan(const CellGrid& grid) : grid_(grid) {
  std::uint32_t end = 0;
  for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
    const CellGrid::Neighbours near = grid.neighbours(cell);
    work_.add(grid.cells()[cell].points.size(), near.size());
    // A cell with nothing above it ends before the one before it does.
    end = std::max({end, near.beside.end, near.above.end});
    near_.push_back({near.beside.begin, end});
  }
}

Strip StripPlan::strip(std::uint64_t begin, std::uint64_t end) const {
  const IndexRange corners = work_.corners(begin, end);
  if (corners.begin >= corners.end) return {};
  const std::size_t first = grid_.cell_of(corners.begin);
  const std::size_t last = grid_.cell_of(corners.end - 1);
  return {corners, {near_[first].begin, near_[last].end}};
}

std::vector<Strip> StripPlan::strips(std::span<const double> weights) const {
  const double all = sum_of_weights(weights);
  std::vector<Strip> strips;
  double before = 0;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    before += weights[i];
    const double fraction = before / all;
    const bool is_last = i + 1 == weights.size() || fraction >= 1;
    const std::uint64_t end =
        is_last
            ? work()
            : std::min(work(), static_cast<std::uint64_t>(fraction * static_cast<double>(work())));
    strips.push_back(strip(begin, std::max(begin, end)));
    begin = std::max(begin, end);
  }
  return strips;
}

}  // namespace millrace::three_star

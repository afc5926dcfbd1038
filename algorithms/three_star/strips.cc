#include <millrace/algorithms/three_star/strips.h>

#include <algorithm>
#include <cstddef>

#include <millrace/runtime/work_sharing.h>

namespace millrace::three_star {
namespace {

// Of one lowest corner with so many points around: where points are even, one in five of those is a
// neighbour in the sense of the search, and a quarter of all pairs of neighbours is tried.
std::uint64_t work_of_corner(std::uint64_t around) { return 1 + around + around * around / 128; }

}  // namespace

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
  std::uint64_t work = 0;
  std::uint32_t end = 0;
  for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
    const CellGrid::Neighbours near = grid.neighbours(cell);
    work_.push_back(work);
    work += grid.cells()[cell].places.size() * work_of_corner(near.size());
    // A cell with nothing above it ends before the one before it does.
    end = std::max({end, near.beside.end, near.above.end});
    near_.push_back({near.beside.begin, end});
  }
  work_.push_back(work);
}

std::uint32_t StripPlan::corner_at(std::uint64_t work) const {
  if (work >= this->work()) return static_cast<std::uint32_t>(grid_.points());
  const auto behind = std::upper_bound(work_.begin(), work_.end(), work);
  const auto cell = static_cast<std::size_t>(behind - work_.begin()) - 1;
  const PlaceRange& places = grid_.cells()[cell].places;
  const std::uint64_t of_corner = (work_[cell + 1] - work_[cell]) / places.size();
  const std::uint64_t corners = (work - work_[cell] + of_corner - 1) / of_corner;
  return places.begin + static_cast<std::uint32_t>(corners);
}

Strip StripPlan::strip(std::uint64_t begin, std::uint64_t end) const {
  const PlaceRange corners = {corner_at(begin), corner_at(end)};
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
    const double share = before / all;
    const bool is_last = i + 1 == weights.size() || share >= 1;
    const std::uint64_t end =
        is_last ? work()
                : std::min(work(), static_cast<std::uint64_t>(share * static_cast<double>(work())));
    strips.push_back(strip(begin, std::max(begin, end)));
    begin = std::max(begin, end);
  }
  return strips;
}

}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/group/cell_work.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace millrace::three_star {
namespace {

// Returns the work of one lowest corner with this many points around: if points are evenly
// distributed, one in five of those is a neighbour in the sense of the search, and a quarter of all
// pairs of neighbours is tested.
std::uint64_t work_of_corner(std::uint64_t around) { return 1 + around + around * around / 128; }

// Counts the points of each cell, sampling one of each `stride` points: any one, since points may
// alternate between regions.
class CellCounts {
 public:
  CellCounts(const CellNumbers& numbers, std::span<const Point> points, std::size_t stride)
      : rows_(numbers.rows()), columns_(numbers.columns()), counts_(rows_ * columns_) {
    std::minstd_rand random;
    for (std::size_t first = 0; first < points.size(); first += stride) {
      const std::size_t some = std::min(stride, points.size() - first);
      ++counts_[numbers.number(points[first + random() % some])];
    }
  }

  std::span<const std::uint32_t> counts() const { return counts_; }

  std::uint64_t around(std::size_t cell) const {
    const std::size_t row = cell / columns_;
    const std::size_t column = cell % columns_;
    return three_cells(row, column) + (row + 1 < rows_ ? three_cells(row + 1, column) : 0);
  }

 private:
  std::uint64_t three_cells(std::size_t row, std::size_t column) const {
    const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(row * columns_);
    const auto begin = static_cast<std::ptrdiff_t>(column == 0 ? 0 : column - 1);
    const auto end = static_cast<std::ptrdiff_t>(std::min(column + 2, columns_));
    return std::accumulate(first + begin, first + end, std::uint64_t{0});
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

void CellWork::add(std::uint32_t points, std::uint64_t around) {
  work_.push_back(work_.back() + points * work_of_corner(around));
  points_.push_back(points_.back() + points);
}

std::uint32_t CellWork::corner_at(std::uint64_t work) const {
  if (work >= this->work()) return points();
  const auto behind = std::upper_bound(work_.begin(), work_.end(), work);
  const auto cell = static_cast<std::size_t>(behind - work_.begin()) - 1;
  const std::uint64_t of_corner =
      (work_[cell + 1] - work_[cell]) / (points_[cell + 1] - points_[cell]);
  const std::uint64_t corners = (work - work_[cell] + of_corner - 1) / of_corner;
  return points_[cell] + static_cast<std::uint32_t>(corners);
}

std::optional<CellWork> estimated_work(std::span<const Point> points, std::int32_t radius) {
  constexpr std::size_t kMostSeen = std::size_t{1} << 16;
  constexpr std::uint64_t kMostCells = std::uint64_t{1} << 16;
  CellWork work;
  if (points.empty()) return work;
  const CellNumbers numbers(box_of(points), radius);
  if (numbers.rows() > kMostCells || numbers.rows() * numbers.columns() > kMostCells) return {};
  const std::size_t stride = (points.size() + kMostSeen - 1) / kMostSeen;
  const CellCounts seen(numbers, points, stride);
  for (std::size_t cell = 0; cell < seen.counts().size(); ++cell) {
    // The last sampled point may stand for fewer.
    const std::size_t of_cell =
        std::min(seen.counts()[cell] * stride, points.size() - work.points());
    if (of_cell > 0) work.add(static_cast<std::uint32_t>(of_cell), seen.around(cell) * stride);
  }
  return work;
}

}  // namespace millrace::three_star

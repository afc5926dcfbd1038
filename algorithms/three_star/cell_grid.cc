#include <millrace/algorithms/three_star/cell_grid.h>

#include <algorithm>
#include <tuple>

#include <millrace/algorithms/radix_sort/radix_sort.h>

namespace millrace::three_star {
namespace {

std::int64_t floor_quotient(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}

// Rows and columns are at most 2^31 from 0: as unsigned numbers, in order.
constexpr std::int64_t kMiddle = std::int64_t{1} << 31;

std::uint64_t key_of(const Point& point, std::int64_t width) {
  const auto row = static_cast<std::uint64_t>(floor_quotient(point.y, width) + kMiddle);
  const auto column = static_cast<std::uint64_t>(floor_quotient(point.x, width) + kMiddle);
  return row << 32 | column;
}

}  // namespace

CellGrid::CellGrid(Queue& queue, std::span<const Point> points, std::int32_t radius) {
  std::vector<std::uint64_t> keys(points.size());
  std::transform(points.begin(), points.end(), keys.begin(),
                 [=](const Point& point) { return key_of(point, std::int64_t{2} * radius); });
  ids_.resize(points.size() + kPadding);
  radix_sort::argsort<std::uint64_t, std::uint32_t>(queue, keys, std::span(ids_).first(keys.size()),
                                                    keys, {.space = MemorySpace::kHost});
  x_.resize(ids_.size());
  y_.resize(ids_.size());
  for (std::uint32_t place = 0; place < points.size(); ++place) {
    x_[place] = points[ids_[place]].x;
    y_[place] = points[ids_[place]].y;
    if (place == 0 || keys[place] != keys[place - 1]) {
      const std::uint64_t key = keys[place];
      cells_.push_back({.row = static_cast<std::int64_t>(key >> 32) - kMiddle,
                        .column = static_cast<std::int64_t>(key & 0xffffffff) - kMiddle,
                        .places = {place, place}});
    }
    ++cells_.back().places.end;
  }
}

PlaceRange CellGrid::three_cells(std::int64_t row, std::int64_t column) const {
  const auto from = [&](std::int64_t of_column) {
    return std::partition_point(cells_.begin(), cells_.end(), [=](const Cell& cell) {
      return std::tie(cell.row, cell.column) < std::tie(row, of_column);
    });
  };
  const auto first = from(column);
  const auto end = from(column + 3);
  if (first == end) return {};
  return {first->places.begin, (end - 1)->places.end};
}

std::size_t CellGrid::cell_of(std::uint32_t place) const {
  const auto after = std::partition_point(
      cells_.begin(), cells_.end(), [=](const Cell& cell) { return cell.places.begin <= place; });
  return static_cast<std::size_t>(after - cells_.begin()) - 1;
}

CellGrid::Neighbours CellGrid::neighbours(std::size_t cell) const {
  const Cell& own = cells_[cell];
  return {three_cells(own.row, own.column - 1), three_cells(own.row + 1, own.column - 1)};
}

}  // namespace millrace::three_star

#include <millrace/algorithms/three_star/cell_grid.h>

#include <algorithm>
#include <tuple>

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/cell_numbers.h>

namespace millrace::three_star {
namespace {

template <class Key>
std::vector<std::uint32_t> ids_by(Queue& queue, std::span<const Point> points,
                                  const CellNumbers& numbers) {
  std::vector<Key> keys(points.size());
  std::transform(points.begin(), points.end(), keys.begin(),
                 [&](const Point& point) { return static_cast<Key>(numbers.number(point)); });
  std::vector<std::uint32_t> ids(points.size());
  radix_sort::argsort<Key, std::uint32_t>(queue, keys, ids, {}, {.space = MemorySpace::kHost});
  return ids;
}

std::vector<std::uint32_t> ids_in_order(Queue& queue, std::span<const Point> points,
                                        std::int32_t radius) {
  if (points.empty()) return {};
  const CellNumbers numbers(box_of(points), radius);
  return numbers.bits() <= 32 ? ids_by<std::uint32_t>(queue, points, numbers)
                              : ids_by<std::uint64_t>(queue, points, numbers);
}

}  // namespace

CellGrid::CellGrid(Queue& queue, std::span<const Point> points, std::int32_t radius)
    : CellGrid(points, radius, ids_in_order(queue, points, radius)) {}

CellGrid::CellGrid(std::span<const Point> points, std::int32_t radius,
                   std::span<const std::uint32_t> ids)
    : x_(points.size() + kPadding), y_(x_.size()), ids_(x_.size()) {
  const std::int64_t width = std::int64_t{2} * radius;
  const auto is_within = [=](std::int64_t coordinate, std::int64_t square) {
    return coordinate >= square * width && coordinate < (square + 1) * width;
  };
  for (std::uint32_t place = 0; place < points.size(); ++place) {
    const Point& point = points[ids[place]];
    ids_[place] = ids[place];
    x_[place] = point.x;
    y_[place] = point.y;
    // Most are in the cell of the one before, which needs no division.
    if (cells_.empty() || !is_within(point.x, cells_.back().column) ||
        !is_within(point.y, cells_.back().row)) {
      cells_.push_back({.row = square_of(point.y, width),
                        .column = square_of(point.x, width),
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

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <tuple>

namespace millrace::three_star {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 14;  // Points; takes longer than waking a thread.

// Calls work(begin, end) for pieces of `count`, on the team of host threads.
template <class Work>
void for_pieces(std::size_t count, const Work& work) {
  HostThreads::shared().for_each((count + kPiece - 1) / kPiece, [&](std::size_t piece) {
    work(piece * kPiece, std::min((piece + 1) * kPiece, count));
  });
}

template <class Key>
std::vector<std::uint32_t> order_by(Queue& queue, std::span<const Point> points,
                                    const CellNumbers& numbers) {
  std::vector<Key> keys(points.size());
  for_pieces(points.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) keys[i] = static_cast<Key>(numbers.number(points[i]));
  });
  std::vector<std::uint32_t> order(points.size());
  radix_sort::argsort<Key, std::uint32_t>(queue, keys, order, {}, {.space = MemorySpace::kHost});
  return order;
}

std::vector<std::uint32_t> order_of(Queue& queue, std::span<const Point> points,
                                    std::int32_t radius) {
  if (points.empty()) return {};
  const CellNumbers numbers(box_of(points), radius);
  return numbers.bits() <= 32 ? order_by<std::uint32_t>(queue, points, numbers)
                              : order_by<std::uint64_t>(queue, points, numbers);
}

}  // namespace

CellGrid::CellGrid(Queue& queue, std::span<const Point> points, std::int32_t radius,
                   std::span<const std::uint32_t> names)
    : CellGrid(points, radius, order_of(queue, points, radius), names) {}

CellGrid::CellGrid(std::span<const Point> points, std::int32_t radius,
                   std::span<const std::uint32_t> order, std::span<const std::uint32_t> names)
    : points_(points.size()),
      x_(std::make_unique_for_overwrite<std::int32_t[]>(points_ + kPadding)),
      y_(std::make_unique_for_overwrite<std::int32_t[]>(points_ + kPadding)),
      ids_(std::make_unique_for_overwrite<std::uint32_t[]>(points_ + kPadding)) {
  std::fill_n(x_.get() + points_, kPadding, 0);
  std::fill_n(y_.get() + points_, kPadding, 0);
  std::fill_n(ids_.get() + points_, kPadding, 0);
  std::vector<std::vector<Cell>> of_pieces((points_ + kPiece - 1) / kPiece);
  for_pieces(points_, [&](std::size_t begin, std::size_t end) {
    of_pieces[begin / kPiece] = arrange(points, radius, order, names, begin, end);
  });
  for (const std::vector<Cell>& cells : of_pieces) {
    auto first = cells.begin();
    if (!cells_.empty() &&
        std::tie(cells_.back().row, cells_.back().column) == std::tie(first->row, first->column)) {
      cells_.back().points.end = first->points.end;
      ++first;
    }
    cells_.insert(cells_.end(), first, cells.end());
  }
}

std::vector<CellGrid::Cell> CellGrid::arrange(std::span<const Point> points, std::int32_t radius,
                                              std::span<const std::uint32_t> order,
                                              std::span<const std::uint32_t> names,
                                              std::size_t begin, std::size_t end) {
  const std::int64_t width = std::int64_t{2} * radius;
  const auto is_within = [=](std::int64_t coordinate, std::int64_t square) {
    return coordinate >= square * width && coordinate < (square + 1) * width;
  };
  std::vector<Cell> cells;
  for (std::size_t i = begin; i < end; ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    const Point& point = points[order[index]];
    ids_[index] = names.empty() ? order[index] : names[order[index]];
    x_[index] = point.x;
    y_[index] = point.y;
    // Most points are in the cell of the one before, which needs no division.
    if (cells.empty() || !is_within(point.x, cells.back().column) ||
        !is_within(point.y, cells.back().row)) {
      cells.push_back({.row = square_of(point.y, width),
                       .column = square_of(point.x, width),
                       .points = {index, index}});
    }
    ++cells.back().points.end;
  }
  return cells;
}

IndexRange CellGrid::three_cells(std::int64_t row, std::int64_t column) const {
  const auto from = [&](std::int64_t of_column) {
    return std::partition_point(cells_.begin(), cells_.end(), [=](const Cell& cell) {
      return std::tie(cell.row, cell.column) < std::tie(row, of_column);
    });
  };
  const auto first = from(column);
  const auto end = from(column + 3);
  if (first == end) return {};
  return {first->points.begin, (end - 1)->points.end};
}

std::size_t CellGrid::cell_of(std::uint32_t index) const {
  const auto after = std::partition_point(
      cells_.begin(), cells_.end(), [=](const Cell& cell) { return cell.points.begin <= index; });
  return static_cast<std::size_t>(after - cells_.begin()) - 1;
}

CellGrid::Neighbours CellGrid::neighbours(std::size_t cell) const {
  const Cell& own = cells_[cell];
  return {three_cells(own.row, own.column - 1), three_cells(own.row + 1, own.column - 1)};
}

}  // namespace millrace::three_star

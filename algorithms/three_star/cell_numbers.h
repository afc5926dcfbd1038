// SPDX-License-Identifier: Apache-2.0

// Numbers the cells of a grid by rows from the lowest row and column that have points. Fewer cells
// have fewer bits to sort by.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CELL_NUMBERS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CELL_NUMBERS_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/target_function.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace millrace::three_star {

// A box around some points, or none.
struct PointBox {
  Point low = {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max()};
  Point high = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min()};

  void add(const PointBox& other) {
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y)};
  }
};

// Returns the points' box. Runs on the team of host threads, which also copy the points to `copies`
// unless that is null.
PointBox box_of(std::span<const Point> points, Point* copies = nullptr);

// Numbers squares two radii wide, one of whose corners is the origin.
class CellNumbers {
 public:
  // `box` has at least one point.
  CellNumbers(const PointBox& box, std::int32_t radius);

  // At most 2^31 + 1 each.
  MILLRACE_FUNCTION constexpr std::uint64_t rows() const { return rows_; }
  MILLRACE_FUNCTION constexpr std::uint64_t columns() const { return columns_; }

  // Return the row and the column of a point in the box.
  MILLRACE_FUNCTION constexpr std::uint64_t row(const Point& point) const {
    return static_cast<std::uint64_t>(point.y - low_y_) / width_;
  }
  MILLRACE_FUNCTION constexpr std::uint64_t column(const Point& point) const {
    return static_cast<std::uint64_t>(point.x - low_x_) / width_;
  }
  MILLRACE_FUNCTION constexpr std::uint64_t number(const Point& point) const {
    return row(point) * columns_ + column(point);
  }

  // Returns the bits of a number, at least one.
  int bits() const {
    const std::uint64_t most = rows_ * columns_ - 1;
    return most == 0 ? 1 : static_cast<int>(std::bit_width(most));
  }

 private:
  std::uint64_t width_;
  std::int64_t low_x_;  // Coordinates of the lowest row and column.
  std::int64_t low_y_;
  std::uint64_t rows_ = 1;
  std::uint64_t columns_ = 1;
};

// Returns the number of squares of `width` below a coordinate; negative if the coordinate is.
constexpr std::int64_t square_of(std::int64_t coordinate, std::int64_t width) {
  return coordinate / width - (coordinate % width < 0 ? 1 : 0);
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CELL_NUMBERS_H_

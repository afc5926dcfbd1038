// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>

#include <cmath>
#include <string>

namespace millrace::three_star {
namespace {

std::int32_t checked(std::int32_t radius) {
  if (radius < 1) {
    reject("radius is " + std::to_string(radius) + "; it must be at least 1");
  }
  if (radius > PaperTables::kMostRadius) {
    throw Error(ErrorCode::kUnsupported,
                "radius is " + std::to_string(radius) + "; tables are made for at most " +
                    std::to_string(PaperTables::kMostRadius) + ": search without tables");
  }
  return radius;
}

std::size_t padded_to(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

// Squared third sides that make a 3-star, first to last; none where first > last.
struct Range {
  std::int64_t first;
  std::int64_t last;
};

Range third_sides(std::int64_t squared_radius, std::int64_t a, std::int64_t b) {
  const std::int64_t linear = a * b - 2 * squared_radius * (a + b);
  const auto is_good = [&](std::int64_t c) {
    return (squared_radius * c + linear) * c + squared_radius * (a - b) * (a - b) <= 0;
  };
  // The roots of the quadratic; rounding is corrected below.
  const auto radius = static_cast<double>(squared_radius);
  const double middle = -static_cast<double>(linear) / (2 * radius);
  const auto difference = static_cast<double>(a - b);
  const double half = std::sqrt(std::max(0.0, middle * middle - difference * difference));
  Range range = {static_cast<std::int64_t>(std::ceil(middle - half)),
                 static_cast<std::int64_t>(std::floor(middle + half))};
  while (is_good(range.first - 1)) --range.first;
  while (is_good(range.last + 1)) ++range.last;
  while (range.first <= range.last && !is_good(range.first)) ++range.first;
  while (range.first <= range.last && !is_good(range.last)) --range.last;
  return range;
}

}  // namespace

PaperTables::PaperTables(std::int32_t radius)
    : radius_(checked(radius)),
      rank_pitch_(padded_to(2 * static_cast<std::size_t>(radius) + 1,
                            kRowAlignment / sizeof(std::uint16_t))),
      ranks_(rank_pitch_ * (2 * static_cast<std::size_t>(radius) + 1)) {
  make_ranks();
  const std::int64_t squared_radius = std::int64_t{radius} * radius;
  // The rank of the first side that is not shorter, by the squared distance minus R^2.
  std::vector<std::uint16_t> ranks_from(static_cast<std::size_t>(3 * squared_radius + 2));
  std::size_t rank = 1;
  for (std::size_t i = 0; i < ranks_from.size(); ++i) {
    while (rank <= sides() && squares_[rank] < squared_radius + static_cast<std::int64_t>(i)) {
      ++rank;
    }
    ranks_from[i] = static_cast<std::uint16_t>(rank);
  }
  bounds_pitch_ = padded_to(sides() + 1, kRowAlignment / sizeof(SideBounds));
  bounds_.resize(bounds_pitch_ * (sides() + 1));
  HostThreads::shared().for_each(sides(), [&](std::size_t i) { make_bounds(i + 1, ranks_from); });
}

void PaperTables::make_ranks() {
  const std::int64_t squared_radius = std::int64_t{radius_} * radius_;
  const std::int64_t most = 2 * std::int64_t{radius_};
  std::vector<std::uint16_t> rank_of(static_cast<std::size_t>(4 * squared_radius + 1));
  const auto squared = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::size_t>(x * x + y * y);
  };
  const auto for_sides = [&](const auto& use) {
    for (std::int64_t y = 0; y <= most; ++y) {
      for (std::int64_t x = 0; x <= most; ++x) {
        const Offset offset = {x, y};
        if (is_side(offset, radius_)) use(x, y);
      }
    }
  };
  for_sides([&](std::int64_t x, std::int64_t y) { rank_of[squared(x, y)] = 1; });
  squares_.push_back(0);
  for (std::size_t i = 0; i < rank_of.size(); ++i) {
    if (rank_of[i] == 0) continue;
    rank_of[i] = static_cast<std::uint16_t>(squares_.size());
    squares_.push_back(static_cast<std::int64_t>(i));
  }
  for_sides([&](std::int64_t x, std::int64_t y) {
    ranks_[static_cast<std::size_t>(y) * rank_pitch_ + static_cast<std::size_t>(x)] =
        rank_of[squared(x, y)];
  });
}

void PaperTables::make_bounds(std::size_t a, std::span<const std::uint16_t> ranks_from) {
  const std::int64_t squared_radius = std::int64_t{radius_} * radius_;
  for (std::size_t b = 1; b <= sides(); ++b) {
    const Range range = third_sides(squared_radius, squares_[a], squares_[b]);
    const std::int64_t first = std::max(range.first, squared_radius);
    const std::int64_t last = std::min(range.last, 4 * squared_radius);
    if (first > last) continue;
    const auto rank_from = [&](std::int64_t square) {
      return std::uint32_t{ranks_from[static_cast<std::size_t>(square - squared_radius)]};
    };
    bounds_[a * bounds_pitch_ + b].word = rank_from(first) | (rank_from(last + 1) - 1) << 16;
  }
}

}  // namespace millrace::three_star

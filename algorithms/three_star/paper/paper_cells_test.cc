// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/paper/paper_cells.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::UnorderedElementsAre;

constexpr std::int32_t kRadius = 50;

// Returns one point in the middle of each cell of four rows and columns, by rows: (1, 1) is the
// first.
std::vector<Point> middles() {
  std::vector<Point> points;
  for (std::int32_t row = 1; row <= 4; ++row) {
    for (std::int32_t column = 1; column <= 4; ++column) {
      points.push_back({2 * kRadius * column + kRadius, 2 * kRadius * row + kRadius});
    }
  }
  return points;
}

TEST(PaperCells, HaveTheRangesOfThePapersExample) {
  const auto queue = some_device()->make_queue();
  const std::vector<Point> points = middles();
  const CellGrid grid(*queue, points, kRadius);
  const std::vector<PaperCell> cells = paper_cells(grid);
  ASSERT_EQ(cells.size(), 16U);
  std::vector<std::pair<int, int>> ranges;
  for (const IndexRange& range : cells[1 * 4 + 1].ranges) {
    ASSERT_EQ(range.size(), 1U);
    const std::uint32_t id = grid.ids()[range.begin];
    ranges.emplace_back(id / 4 + 1, id % 4 + 1);
  }
  EXPECT_THAT(ranges, UnorderedElementsAre(std::pair(1, 3), std::pair(2, 2), std::pair(2, 3),
                                           std::pair(3, 2), std::pair(3, 3)));
}

TEST(PaperCells, HaveNoRangesBeyondTheLastCell) {
  const auto queue = some_device()->make_queue();
  const CellGrid grid(*queue, middles(), kRadius);
  const PaperCell last = paper_cells(grid).back();
  EXPECT_EQ(last.ranges[0].size(), 1U);
  for (int range = 1; range < PaperCell::kRanges; ++range) EXPECT_EQ(last.ranges[range].size(), 0U);
}

TEST(PaperCombinations, AreAllWhoseRangesAreNextToEachOther) {
  constexpr int kRows[] = {0, 1, -1, 0, 1};
  constexpr int kColumns[] = {0, 0, 1, 1, 1};
  std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t second = 0; second < PaperCell::kRanges; ++second) {
    for (std::uint32_t third = second; third < PaperCell::kRanges; ++third) {
      const bool is_near = std::abs(kRows[second] - kRows[third]) <= 1 &&
                           std::abs(kColumns[second] - kColumns[third]) <= 1;
      if (is_near) expected.emplace(second, third);
    }
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::uint32_t i = 0; i < kPaperCombinations; ++i) {
    found.emplace(second_range(i), third_range(i));
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), kPaperCombinations);
}

// Returns the triples of indices that the segments of a cell's cursors contain.
std::vector<std::array<std::uint32_t, 3>> triples_of(const PaperCell& cell) {
  std::vector<std::array<std::uint32_t, 3>> triples;
  PaperCursor cursor;
  if (!settle(cell, cursor)) return triples;
  do {
    const PaperRanges ranges(cursor.combination);
    const IndexRange first = segment_of(cell.ranges[0], cursor.segments[0]);
    const IndexRange second = segment_of(cell.ranges[ranges.second], cursor.segments[1]);
    const IndexRange third = segment_of(cell.ranges[ranges.third], cursor.segments[2]);
    for (std::uint32_t i = first.begin; i < first.end; ++i) {
      for (std::uint32_t j = second.begin; j < second.end; ++j) {
        if (ranges.second == 0 && j <= i) continue;
        for (std::uint32_t k = third.begin; k < third.end; ++k) {
          if (ranges.third != ranges.second || k > j) triples.push_back({i, j, k});
        }
      }
    }
  } while (next_segments(cell, cursor));
  return triples;
}

TEST(PaperCursor, ReachesEachTripleOnce) {
  // Empty ranges, ranges of one segment and of two.
  const PaperCell cells[] = {{{{0, 3}, {3, 5}, {5, 5}, {9, 10}, {10, 13}}},
                             {{{0, 259}, {300, 301}, {0, 0}, {310, 311}, {0, 0}}},
                             {{{0, 1}, {10, 270}, {300, 301}, {400, 402}, {0, 0}}}};
  const auto choose = [](std::uint64_t n, int of) {
    return of == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
  };
  for (const PaperCell& cell : cells) {
    auto triples = triples_of(cell);
    std::sort(triples.begin(), triples.end());
    EXPECT_EQ(std::adjacent_find(triples.begin(), triples.end()), triples.end());
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < kPaperCombinations; ++i) {
      const std::uint64_t own = cell.ranges[0].size();
      const std::uint64_t second = cell.ranges[second_range(i)].size();
      const std::uint64_t third = cell.ranges[third_range(i)].size();
      if (third_range(i) == 0) {
        expected += choose(own, 3);
      } else if (second_range(i) == 0) {
        expected += choose(own, 2) * third;
      } else if (second_range(i) == third_range(i)) {
        expected += own * choose(second, 2);
      } else {
        expected += own * second * third;
      }
    }
    EXPECT_EQ(triples.size(), expected);
  }
}

}  // namespace
}  // namespace millrace::three_star

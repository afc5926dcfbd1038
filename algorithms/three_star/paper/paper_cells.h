// SPDX-License-Identifier: Apache-2.0

// Enumerates the triples of points that the paper's method tests: Lee, Lo, Chen, Chung and Chung,
// "GPU Performance Enhancement via Communication Cost Reduction", section III.C.
//
// Cells are two radii wide, so the rows of two corners of a 3-star differ by at most one, and so do
// their columns. A cell searches the 3-stars of which it is the first one by column, then by row:
// other corners are in it or in four more of the eight around it: those right of it and the one
// behind it in its own column. (Where the paper names the fifth cell (r, c - 1) its example has
// (r + 1, c + 1).)
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CELLS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CELLS_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>
#include <vector>

namespace millrace::three_star {

// The points of (r, c), (r + 1, c), (r - 1, c + 1), (r, c + 1) and (r + 1, c + 1), where (r, c) is
// the cell itself.
struct PaperCell {
  static constexpr int kRanges = 5;

  IndexRange ranges[kRanges];
};

// Returns the ranges of all the grid's cells, in its order.
std::vector<PaperCell> paper_cells(const CellGrid& grid);

// The ranges that contain the second and the third corner, beside a first one in the cell itself.
// Five ranges have 15 combinations, including a range twice. In two, (r - 1, c + 1) with either
// (r + 1, c) or (r + 1, c + 1), the rows differ by two: 13 are left. Corners of the same range are
// taken in the order of their indices, so each triple occurs once.
inline constexpr std::uint32_t kPaperCombinations = 13;

namespace internal {

// Returns a word of four bits a combination, for devices that have no constant arrays.
constexpr std::uint64_t four_bits_each(const int (&ranges)[kPaperCombinations]) {
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < kPaperCombinations; ++i) {
    word |= static_cast<std::uint64_t>(ranges[i]) << (4 * i);
  }
  return word;
}

inline constexpr std::uint64_t kSecondRanges =
    four_bits_each({0, 0, 0, 0, 0, 1, 2, 3, 4, 1, 1, 2, 3});
inline constexpr std::uint64_t kThirdRanges =
    four_bits_each({0, 1, 2, 3, 4, 1, 2, 3, 4, 3, 4, 3, 4});

}  // namespace internal

MILLRACE_FUNCTION constexpr std::uint32_t second_range(std::uint32_t combination) {
  return static_cast<std::uint32_t>(internal::kSecondRanges >> (4 * combination)) & 15;
}
MILLRACE_FUNCTION constexpr std::uint32_t third_range(std::uint32_t combination) {
  return static_cast<std::uint32_t>(internal::kThirdRanges >> (4 * combination)) & 15;
}

// A range is searched in segments: within one, 8 bits identify a point.
inline constexpr std::uint32_t kSegmentPoints = 256;

MILLRACE_FUNCTION constexpr IndexRange segment_of(const IndexRange& range, std::uint32_t segment) {
  const std::uint32_t begin = range.begin + kSegmentPoints * segment;
  const std::uint32_t left = range.end - begin;
  return {begin, begin + (left < kSegmentPoints ? left : kSegmentPoints)};
}

// State of a search: three segments, and a step within them that the searcher defines.
struct PaperCursor {
  std::uint32_t cell = 0;
  std::uint32_t combination = 0;
  std::uint32_t segments[3] = {};
  std::uint32_t step = 0;
};

// The ranges of a cell's combination.
struct PaperRanges {
  std::uint32_t second;
  std::uint32_t third;

  MILLRACE_FUNCTION constexpr explicit PaperRanges(std::uint32_t combination)
      : second(second_range(combination)), third(third_range(combination)) {}

  // Return the first segments that can have corners behind those of the segment before.
  MILLRACE_FUNCTION constexpr std::uint32_t first_second(std::uint32_t segment) const {
    return second == 0 ? segment : 0;
  }
  MILLRACE_FUNCTION constexpr std::uint32_t first_third(std::uint32_t segment) const {
    return third == second ? segment : 0;
  }
};

// Advances a cursor, if necessary, to existing segments. Returns false if the cell has no more.
MILLRACE_FUNCTION constexpr bool settle(const PaperCell& cell, PaperCursor& cursor) {
  const auto is_in = [&](std::uint32_t range, std::uint32_t segment) {
    return (cell.ranges[range].size() + kSegmentPoints - 1) / kSegmentPoints > segment;
  };
  auto& [own, second, third] = cursor.segments;
  while (cursor.combination < kPaperCombinations) {
    const PaperRanges ranges(cursor.combination);
    if (!is_in(0, own)) {
      ++cursor.combination;
      own = second = third = 0;
    } else if (!is_in(ranges.second, second)) {
      ++own;
      second = ranges.first_second(own);
      third = ranges.first_third(second);
    } else if (!is_in(ranges.third, third)) {
      ++second;
      third = ranges.first_third(second);
    } else {
      return true;
    }
  }
  return false;
}

// Advances to the next segments of the cell. Returns false if there are none.
MILLRACE_FUNCTION constexpr bool next_segments(const PaperCell& cell, PaperCursor& cursor) {
  ++cursor.segments[2];
  cursor.step = 0;
  return settle(cell, cursor);
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CELLS_H_

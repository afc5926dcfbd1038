// SPDX-License-Identifier: Apache-2.0

// Tests a triple by the paper's two tables: distances by (|x1 - x2|, |y1 - y2|), and the bounds of
// the third side by two sides.
//
// The paper's distances are real numbers; those here are ranks, from 1 for the shortest side of a
// 3-star on in order of the squared distance, so that both tables are exact. There are as many
// sides as sums of two squares from R^2 + 1 to 4 R^2: 1,988 for a radius of 50, whose bounds take
// 16 MB, and 7,343 for 100, whose bounds take 218 MB.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_TABLES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_TABLES_H_

#include <millrace/algorithms/three_star/paper/narrow_sides.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Two ranks, the lower one first. No third side is between the bounds of sides that no 3-star has.
struct SideBounds {
  std::uint32_t word = 1;

  MILLRACE_FUNCTION constexpr bool has(std::uint32_t rank) const {
    return rank >= (word & 0xffff) && rank <= word >> 16;
  }
};

// Immutable after construction. Rows of both tables are padded to multiples of 512 bytes, as
// textures require.
class PaperTables {
 public:
  static constexpr std::int32_t kMostRadius = 100;
  static constexpr std::size_t kRowAlignment = 512;

  // Makes the tables on all host cores. Throws kInvalidArgument for a radius below 1, kUnsupported
  // for one of more than kMostRadius.
  explicit PaperTables(std::int32_t radius);

  std::int32_t radius() const { return radius_; }
  std::size_t sides() const { return squares_.size() - 1; }

  // Returns the ranks of distances (x, y), each 0 to 2 R, at y * rank_pitch() + x; 0 if no side is
  // that long.
  std::span<const std::uint16_t> ranks() const { return ranks_; }
  std::size_t rank_pitch() const { return rank_pitch_; }

  // Returns the bounds for ranks a and b, each 1 to sides(), at a * bounds_pitch() + b.
  std::span<const SideBounds> bounds() const { return bounds_; }
  std::size_t bounds_pitch() const { return bounds_pitch_; }

 private:
  void make_ranks();
  void make_bounds(std::size_t a, std::span<const std::uint16_t> ranks_from);

  const std::int32_t radius_;
  std::vector<std::int64_t> squares_;  // Indexed by rank.
  std::size_t rank_pitch_;
  std::vector<std::uint16_t> ranks_;
  std::size_t bounds_pitch_ = 0;
  std::vector<SideBounds> bounds_;
};

// The test for any memory of the tables: Source::rank(x, y) and Source::bounds(a, b) read them.
template <class Source>
class TableSides {
 public:
  using Side = std::uint32_t;  // A rank.

  MILLRACE_FUNCTION constexpr TableSides(std::int32_t radius, const Source& source)
      : most_(2 * radius), source_(source) {}

  MILLRACE_FUNCTION Side side(const Point& a, const Point& b) const {
    const NarrowOffset offset = narrow_offset(a, b);
    const std::int32_t x = offset.x < 0 ? -offset.x : offset.x;
    const std::int32_t y = offset.y < 0 ? -offset.y : offset.y;
    return x <= most_ && y <= most_ ? source_.rank(x, y) : 0;
  }

  MILLRACE_FUNCTION bool is_three_star(Side a, Side b, Side c) const {
    return source_.bounds(a, b).has(c);
  }

 private:
  std::int32_t most_;
  Source source_;
};

// Tables in memory.
struct PlainTables {
  const std::uint16_t* ranks;
  const SideBounds* side_bounds;
  std::uint32_t rank_pitch;
  std::uint32_t bounds_pitch;

  MILLRACE_FUNCTION std::uint32_t rank(std::int32_t x, std::int32_t y) const {
    return ranks[static_cast<std::uint32_t>(y) * rank_pitch + static_cast<std::uint32_t>(x)];
  }
  MILLRACE_FUNCTION SideBounds bounds(std::uint32_t a, std::uint32_t b) const {
    return side_bounds[a * bounds_pitch + b];
  }
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_TABLES_H_

// SPDX-License-Identifier: Apache-2.0

// The paper's tests of a triple against the definition.
#include <millrace/algorithms/three_star/paper/narrow_sides.h>
#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/algorithms/three_star/paper/wide_sides.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::three_star {
namespace {

PlainTables plain(const PaperTables& tables) {
  return {tables.ranks().data(), tables.bounds().data(),
          static_cast<std::uint32_t>(tables.rank_pitch()),
          static_cast<std::uint32_t>(tables.bounds_pitch())};
}

template <class Sides>
bool agrees(const Sides& sides, const Point& a, const Point& b, const Point& c,
            std::int32_t radius) {
  const auto ab = sides.side(a, b);
  const auto ac = sides.side(a, c);
  const auto bc = sides.side(b, c);
  const bool found = ab != 0 && ac != 0 && bc != 0 && sides.is_three_star(ab, ac, bc);
  return found == is_three_star(a, b, c, radius);
}

// Tests all triples with a corner at the origin and others on a coarse grid of up to two radii:
// many have a circle of exactly the radius.
template <class Sides>
std::uint64_t disagreements(const Sides& sides, std::int32_t radius, std::int32_t step) {
  std::uint64_t count = 0;
  const Point a = {-3, 8};
  for (std::int32_t y = 0; y <= 2 * radius; y += step) {
    for (std::int32_t x = -2 * radius; x <= 2 * radius; x += step) {
      for (std::int32_t v = -2 * radius; v <= 2 * radius; v += step) {
        for (std::int32_t u = -2 * radius; u <= 2 * radius; u += step) {
          const Point b = {a.x + x, a.y + y};
          const Point c = {a.x + u, a.y + v};
          count += agrees(sides, a, b, c, radius) ? 0 : 1;
        }
      }
    }
  }
  return count;
}

TEST(PaperSides, AreExactWhereTheCircleIsAsLargeAsItCanBe) {
  for (const std::int32_t radius : {1, 2, 5, 10}) {
    const PaperTables tables(radius);
    EXPECT_EQ(disagreements(NarrowSides(radius), radius, 1), 0U);
    EXPECT_EQ(disagreements(WideSides(radius), radius, 1), 0U);
    EXPECT_EQ(disagreements(TableSides(radius, plain(tables)), radius, 1), 0U);
  }
  EXPECT_EQ(disagreements(NarrowSides(NarrowSides::kMostRadius), NarrowSides::kMostRadius, 60), 0U);
  EXPECT_EQ(disagreements(WideSides(kMostRadius), kMostRadius, kMostRadius / 10), 0U);
}

TEST(PaperSides, AgreeOnRandomTriples) {
  SeededRandom random;
  const PaperTables tables(50);
  const TableSides by_table(50, plain(tables));
  std::uint64_t three_stars = 0;
  for (int i = 0; i < 300'000; ++i) {
    const auto point = [&] {
      const auto coordinate = [&] { return static_cast<std::int32_t>(random(0, 150)) - 75; };
      return Point{coordinate(), coordinate()};
    };
    const Point a = point();
    const Point b = point();
    const Point c = point();
    three_stars += is_three_star(a, b, c, 50) ? 1 : 0;
    ASSERT_TRUE(agrees(NarrowSides(50), a, b, c, 50));
    ASSERT_TRUE(agrees(WideSides(50), a, b, c, 50));
    ASSERT_TRUE(agrees(by_table, a, b, c, 50));
  }
  EXPECT_GT(three_stars, 0U);
}

TEST(PaperTables, HaveAllSidesOfTheLargestRadius) {
  const PaperTables tables(PaperTables::kMostRadius);
  EXPECT_EQ(tables.sides(), 7343U);
  const TableSides sides(PaperTables::kMostRadius, plain(tables));
  EXPECT_EQ(disagreements(sides, PaperTables::kMostRadius, 20), 0U);
}

ErrorCode error_of(std::int32_t radius) {
  try {
    const PaperTables tables(radius);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST(PaperTables, RejectARadiusOutOfRange) {
  EXPECT_EQ(error_of(0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of(PaperTables::kMostRadius + 1), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace millrace::three_star

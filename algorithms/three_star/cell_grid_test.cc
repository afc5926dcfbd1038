// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::three_star {
namespace {

class CellGridTest : public testing::Test {
 protected:
  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
};

// Sets so large that several threads make the grid, and share some cells.
class CellGridOf : public CellGridTest, public testing::WithParamInterface<int> {};

TEST_P(CellGridOf, HasEachPointOnceInTheCellItIsIn) {
  const std::vector<Point> points = scattered(random, GetParam(), -1000, 2000);
  const CellGrid grid(*queue, points, 50);
  std::vector<int> seen(points.size());
  std::uint32_t index = 0;
  std::pair<std::int64_t, std::int64_t> before = {-100, 0};
  for (const CellGrid::Cell& cell : grid.cells()) {
    EXPECT_EQ(cell.points.begin, index);
    EXPECT_LT(before, std::pair(cell.row, cell.column));
    before = {cell.row, cell.column};
    EXPECT_GT(cell.points.size(), 0u);
    for (; index < cell.points.end; ++index) {
      const Point point{grid.x()[index], grid.y()[index]};
      EXPECT_EQ(point, points[grid.ids()[index]]);
      ++seen[grid.ids()[index]];
      EXPECT_TRUE(point.x >= 100 * cell.column && point.x < 100 * (cell.column + 1)) << point.x;
      EXPECT_TRUE(point.y >= 100 * cell.row && point.y < 100 * (cell.row + 1)) << point.y;
    }
  }
  EXPECT_EQ(index, points.size());
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}

INSTANTIATE_TEST_SUITE_P(Points, CellGridOf, testing::Values(0, 1, 500, 100'000));

TEST_F(CellGridTest, HasAllWithinTwoRadiiAboveAmongNeighbours) {
  for (const Sensors& sensors : all_kinds(random)) {
    const CellGrid grid(*queue, sensors.points, sensors.radius);
    for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
      const CellGrid::Neighbours near = grid.neighbours(cell);
      const IndexRange own = grid.cells()[cell].points;
      const std::int64_t most = std::int64_t{2} * sensors.radius;
      for (std::uint32_t i = own.begin; i < own.end; ++i) {
        for (std::uint32_t k = 0; k < sensors.points.size(); ++k) {
          const std::int64_t x = std::int64_t{grid.x()[k]} - grid.x()[i];
          const std::int64_t y = std::int64_t{grid.y()[k]} - grid.y()[i];
          if (y < 0 || y > most || std::abs(x) > most) continue;
          const auto has = [k](const IndexRange& range) {
            return k >= range.begin && k < range.end;
          };
          EXPECT_TRUE(has(near.beside) || has(near.above))
              << sensors.name << ": " << x << ", " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace millrace::three_star

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

std::vector<std::uint64_t> stars_of_sensors(std::span<const ThreeStar> stars, std::size_t sensors) {
  std::vector<std::uint64_t> stars_of(sensors);
  for (const ThreeStar& star : stars) {
    for (const std::uint32_t sensor : {star.a, star.b, star.c}) ++stars_of[sensor];
  }
  return stars_of;
}

class StarsOnTarget : public OnSimdTarget {
 protected:
  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
};

TEST_P(StarsOnTarget, AreWhatTheReferenceFinds) {
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    const CellGrid grid(*queue, sensors.points, sensors.radius);
    StarScratch scratch;
    std::vector<ThreeStar> visited;
    std::vector<ThreeStar> iterated;
    std::vector<ThreeStar> in_two;  // Visited in two ranges of lowest points.
    std::vector<std::uint64_t> stars_of(sensors.points.size());
    const auto take = [&](const StarChunk& chunk) {
      chunk.visit([&](std::span<const ThreeStar> some) {
        visited.insert(visited.end(), some.begin(), some.end());
      });
      for (const ThreeStar& star : chunk) iterated.push_back(star);
      chunk.count_sensors(stars_of);
      const auto points = static_cast<std::uint32_t>(sensors.points.size());
      for (const IndexRange& lowest : {IndexRange{0, points / 3}, IndexRange{points / 3, points}}) {
        if (lowest.size() == 0) continue;
        chunk.visit_lowest(lowest, [&](std::span<const ThreeStar> some) {
          for (const ThreeStar& star : some) EXPECT_LT(star.a - lowest.begin, lowest.size());
          in_two.insert(in_two.end(), some.begin(), some.end());
        });
      }
    };
    std::uint64_t counted = 0;
    for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
      const PointRun run = {grid.cells()[cell].points, grid.neighbours(cell)};
      const StarCounts compressed = compress_stars(grid, run, sensors.radius, scratch, take);
      const StarCounts counts = count_stars(grid, run, sensors.radius, scratch);
      EXPECT_EQ(counts.three_stars, compressed.three_stars);
      EXPECT_EQ(counts.pairs, compressed.pairs);
      counted += counts.three_stars;
    }
    EXPECT_EQ(iterated, visited);
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(counted, visited.size());
    std::sort(in_two.begin(), in_two.end());
    EXPECT_EQ(in_two, visited);
    EXPECT_EQ(visited, find_three_stars_reference(sensors.points, sensors.radius));
    EXPECT_EQ(stars_of, stars_of_sensors(visited, sensors.points.size()));
  }
}

TEST_P(StarsOnTarget, AreCountedWhereWindowsAreLong) {
  constexpr std::int32_t kRadius = 50;
  constexpr std::uint32_t kCorners = 4;
  // Four cells by four. A corner of the second column and row has some 1,180 neighbours, all among
  // these.
  const std::vector<Point> points = scattered(random, 16'000, 0, 400);
  const CellGrid grid(*queue, points, kRadius);
  constexpr std::size_t kCell = 5;
  ASSERT_EQ(grid.cells().size(), 16u);
  const CellGrid::Cell& cell = grid.cells()[kCell];
  ASSERT_GT(cell.points.size(), kCorners);
  const PointRun run = {{cell.points.begin, cell.points.begin + kCorners}, grid.neighbours(kCell)};
  StarScratch scratch;
  std::vector<std::uint64_t> counted(points.size());
  std::vector<std::uint64_t> visited(points.size());
  std::uint32_t most_neighbours = 0;
  compress_stars(grid, run, kRadius, scratch, [&](const StarChunk& chunk) {
    for (std::size_t i = 0; i < chunk.records(); ++i) {
      most_neighbours = std::max(most_neighbours, chunk.record(i).neighbours());
    }
    chunk.count_sensors(counted);
    chunk.visit([&](std::span<const ThreeStar> some) {
      for (const ThreeStar& star : some) {
        for (const std::uint32_t sensor : {star.a, star.b, star.c}) ++visited[sensor];
      }
    });
  });
  EXPECT_GT(most_neighbours, 1000u);
  EXPECT_EQ(counted, visited);
}

INSTANTIATE_TEST_SUITE_P(, StarsOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::three_star

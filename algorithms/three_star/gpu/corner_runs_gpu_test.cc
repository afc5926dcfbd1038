// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/gpu/corner_runs_gpu.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/backends/gpu/gpu_test.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

class CornerRunsTest : public GpuTest {
 protected:
  static constexpr std::int32_t kRadius = 50;

  three_star::SearchReport count(const std::vector<Point>& points, std::size_t most_storage,
                                 std::int32_t radius = kRadius) {
    ScratchMemory memory(*queue);
    const QueueGuard guard(*queue);
    const DeviceGrid grid(*queue, points, radius, memory);
    three_star::SearchReport report;
    const CornerCounts counts =
        CornerRuns(*queue, grid, {0, grid.points()}, {.radius = radius}, memory, most_storage)
            .count(report);
    report.three_stars = counts.three_stars;
    report.pairs = counts.pairs;
    return report;
  }

  SeededRandom random;
};

TEST_F(CornerRunsTest, CornersAreSearchedAboutTwiceHoweverLittleMemoryThereIs) {
  // Corners with so many neighbours in a cluster that several of them fill the least memory.
  constexpr std::size_t kCorners = 12;
  constexpr std::size_t kNeighbours = 800;
  std::vector<Point> points = three_star::scattered(random, kCorners, 0, 10);
  for (const Point& point : three_star::scattered(random, kNeighbours, 0, 10)) {
    points.push_back({point.x, point.y + 70});
  }
  for (const Point& point : three_star::scattered(random, 5, 0, 10)) {
    points.push_back({point.x + 60, point.y + 35});
  }
  const std::size_t stars = three_star::find_three_stars_reference(points, kRadius).size();
  const auto at_once = count(points, CornerRuns::kMostStorage);
  EXPECT_GT(stars, 0U);
  EXPECT_EQ(at_once.three_stars, stars);
  const auto in_turn = count(points, 0);
  EXPECT_EQ(in_turn.three_stars, stars);
  EXPECT_EQ(in_turn.pairs, at_once.pairs);
  // Corners for which a run has no memory are tasks again.
  EXPECT_LE(in_turn.tasks, at_once.tasks + kCorners);
}

TEST_F(CornerRunsTest, EveryRadiusIsExact) {
  constexpr std::int32_t kMostHalf = HalfNeighbour::kMostRadius;
  for (const std::int32_t radius : {1, 2, 3, 181, 182, kMostHalf - 1, kMostHalf, kMostHalf + 1}) {
    SCOPED_TRACE(radius);
    auto points = three_star::scattered(random, 90, -2 * radius, 4 * radius + 1);
    // A lattice, on which many triangles have circles of about the radius.
    for (std::int32_t i = 0; i < 100; ++i) {
      points.push_back({i % 10 * radius / 3, i / 10 * radius / 3});
    }
    const std::size_t stars = three_star::find_three_stars_reference(points, radius).size();
    EXPECT_EQ(count(points, CornerRuns::kMostStorage, radius).three_stars, stars);
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU

// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/backends/gpu/gpu_test.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using three_star::CellGrid;
using three_star::Point;
using three_star::Sensors;

class DeviceGridTest : public GpuTest {
 protected:
  template <class T>
  std::vector<T> to_host(const T* data, std::size_t count) {
    std::vector<T> values(count);
    queue->copy(values.data(), data, count * sizeof(T), {}, {});
    queue->wait();
    return values;
  }

  void expect_same(const Sensors& sensors, std::size_t most_pinned = DeviceGrid::kMostPinned) {
    SCOPED_TRACE(sensors.name);
    const std::vector<Point>& points = sensors.points;
    const CellGrid expected(*queue, points, sensors.radius);
    ScratchMemory memory(*queue);
    const DeviceGrid grid(*queue, points, sensors.radius, memory, most_pinned);
    const auto ids = to_host(grid.ids(), points.size());
    const auto in_order = to_host(grid.view().points, points.size());
    const auto neighbours = to_host(grid.view().neighbours, points.size());
    for (std::size_t cell = 0; cell < expected.cells().size(); ++cell) {
      const CellGrid::Neighbours near = expected.neighbours(cell);
      const three_star::IndexRange& of_cell = expected.cells()[cell].points;
      for (std::uint32_t i = of_cell.begin; i < of_cell.end; ++i) {
        ASSERT_EQ(ids[i], expected.ids()[i]) << "at " << i;
        ASSERT_EQ(in_order[i], points[ids[i]]) << "at " << i;
        ASSERT_TRUE(is_same(neighbours[i].beside, near.beside)) << "at " << i;
        ASSERT_TRUE(is_same(neighbours[i].above, near.above)) << "at " << i;
      }
    }
    const auto windows = to_host(grid.view().windows, 1);
    EXPECT_EQ(std::memcmp(windows.data(), &three_star::kAngleWindows, sizeof windows[0]), 0);
  }

  static bool is_same(const three_star::IndexRange& a, const three_star::IndexRange& b) {
    return a.begin == b.begin && a.end == b.end;
  }

  SeededRandom random;
};

TEST_F(DeviceGridTest, IsTheHostsGrid) {
  for (const Sensors& sensors : three_star::all_kinds(random)) {
    if (!sensors.points.empty()) expect_same(sensors);
  }
}

TEST_F(DeviceGridTest, IsTheHostsGridWhereNumbersOfCellsTakeManyBits) {
  for (const std::int32_t radius : {1, 30, three_star::kMostRadius}) {
    Sensors far = {"at all distances", {}, radius};
    for (int i = 0; i < 3000; ++i) {
      const auto anywhere = [&] {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(random(0, UINT32_MAX)));
      };
      far.points.push_back({anywhere(), anywhere()});
      // And one that is likely in a cell beside it.
      const Point last = far.points.back();
      far.points.push_back({last.x ^ (radius + 1), last.y ^ (radius + 1)});
    }
    far.points.push_back({INT32_MIN, INT32_MIN});
    far.points.push_back({INT32_MAX, INT32_MAX});
    expect_same(far);
  }
}

TEST_F(DeviceGridTest, IsTheHostsGridOfClusters) {
  Sensors clusters = {"clusters", {}, 50};
  for (int i = 0; i < 20; ++i) {
    const auto centre = three_star::scattered(random, 1, -3000, 6000)[0];
    for (const Point& point : three_star::scattered(random, 50 * i, -40, 80)) {
      clusters.points.push_back({centre.x + point.x, centre.y + point.y});
    }
  }
  expect_same(clusters);
}

TEST_F(DeviceGridTest, IsTheSameWithoutPinnedMemory) {
  for (const Sensors& sensors : three_star::all_kinds(random, 30)) {
    if (!sensors.points.empty()) expect_same(sensors, 0);
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU

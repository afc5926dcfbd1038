// SPDX-License-Identifier: Apache-2.0

// Tests of the tasks that a run holds back for later levels.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/run/device_levels.h>
#include <millrace/runtime/tasks/internal/level_queue.h>
#include <millrace/runtime/tasks/task_list.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace millrace::MILLRACE_GPU {
namespace {

struct Late {
  static constexpr bool kUsesLevels = true;
  std::uint32_t number;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};
using LateTasks = TaskSet<Late>;

class DeviceLevelsTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (queue) buffers = std::make_unique<LevelBuffers>(*queue, /*list_bytes=*/4096);
  }

  // Adds tasks that a launch has spilled for a later level.
  static void spill(DeviceLevels<LateTasks>& levels, std::size_t count, std::uint32_t level) {
    LevelQueue<LateTasks> overflow;
    for (std::uint32_t i = 0; i < count; ++i) overflow.push(level, Late{i});
    levels.add(overflow);
  }

  // Begins the next level; returns the number of its tasks.
  static std::size_t begin_next(DeviceLevels<LateTasks>& levels) {
    std::size_t count = 0;
    levels.run_next([&](const auto& tasks) { count += tasks.size(); });
    return count;
  }

  std::unique_ptr<LevelBuffers> buffers;
};

TEST_F(DeviceLevelsTest, SpilledTasksCountWhicheverRootsHaveRun) {
  DeviceLevels<LateTasks> levels(*buffers);
  TaskList<LateTasks> roots;
  for (const std::uint32_t level : {0, 0, 0, 2, 2, 5}) roots.push_at(level, Late{0});
  levels.push_all(roots);
  EXPECT_EQ(levels.held().spilled, 0u);
  EXPECT_EQ(begin_next(levels), 3u);
  spill(levels, 4, 9);
  EXPECT_EQ(levels.held().spilled, 4u);
  EXPECT_EQ(begin_next(levels), 2u);
  EXPECT_EQ(levels.held().spilled, 4u);
  spill(levels, 7, 5);
  EXPECT_EQ(levels.held().spilled, 11u);
  EXPECT_EQ(begin_next(levels), 8u);  // A root and seven spilled tasks.
  EXPECT_EQ(levels.held().spilled, 4u);
  EXPECT_EQ(begin_next(levels), 4u);
  EXPECT_EQ(levels.held().spilled, 0u);
  EXPECT_FALSE(levels.has_later());
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU

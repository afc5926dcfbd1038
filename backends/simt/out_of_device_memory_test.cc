// SPDX-License-Identifier: Apache-2.0

// Tests of runs during which the memory of the device ends: they hand back what they have not run.
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/run_test.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::MILLRACE_GPU {
namespace {

const target::RegisterTasks<TreeTasks> registered_trees;
const target::RegisterTasks<FanOutTasks> registered_fan_outs;
const target::RegisterTasks<LateTasks> registered_late;

class OutOfDeviceMemoryTest : public RunTest {
 protected:
  // Takes all memory of the device but `free` bytes.
  Buffer<char> all_but(std::size_t free) const {
    const std::size_t used = simt::SimulatedMemory::get().used(0);
    return {device, MemorySpace::kDevice, device->info().memory_bytes - used - free};
  }

  static std::size_t leaves_in(const TaskList<TreeTasks>& tasks) {
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const bool is_tree = tasks.view().tag(i) == TreeTasks::tag_of<Tree>();
      if (is_tree && tasks.view().get<Tree>(i).depth == 0) ++leaves;
    }
    return leaves;
  }

  // Runs the roots with so little memory, and returns the tasks that are left.
  template <class Set>
  TaskList<Set> left_with(std::size_t free, const TaskList<Set>& roots,
                          Participant<Set>* participant = nullptr) {
    const Buffer<char> rest = all_but(free);
    return left_of(roots, participant);
  }
};

TEST_P(OutOfDeviceMemoryTest, WithoutMemoryToBeginTheRootsAreHandedBack) {
  const TaskList<TreeTasks> roots = trees(5, 2, 2);
  const TaskList<TreeTasks> left = left_with(/*free=*/0, roots);
  EXPECT_EQ(tasks_run, 0u);
  EXPECT_EQ(left.size(), roots.size());
  run(left);
  EXPECT_EQ(take_result(), 5u * 4);
}

TEST_P(OutOfDeviceMemoryTest, WithoutRecordsForJoinsTheOpenOnesAreHandedBack) {
  for (const std::size_t free : {0, 3'000}) {
    SCOPED_TRACE(std::to_string(free) + " bytes are free");
    queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024, .join_capacity = 16});
    run(trees(13, 2, 2));  // All memory but that of more joins is allocated.
    EXPECT_EQ(take_result(), 13u * 4);
    TaskList<TreeTasks> roots = trees(10, 3, 2);
    roots.append(trees(3, 40, 1));  // Each has 40 joins open at once.
    const TaskList<TreeTasks> left = left_with(free, roots);
    if (free == 0) {
      EXPECT_FALSE(left.empty());
      EXPECT_FALSE(left.joins().empty());
    }
    if (!left.empty()) run(left);
    EXPECT_EQ(take_result(), 10u * 8 + 3);
  }
}

TEST_P(OutOfDeviceMemoryTest, WithoutMemoryToUploadWhatHasSpilledItIsHandedBack) {
  constexpr std::uint32_t kChildren = 3'000;
  queue = make_gpu_queue(*device, {.task_memory_bytes = 4096});
  run(fan_outs(1, 10));
  EXPECT_EQ(take_result(), 11u);
  const auto left = left_with(/*free=*/0, fan_outs(1, kChildren));
  EXPECT_EQ(tasks_run + left.size(), 1 + kChildren);
  ASSERT_FALSE(left.empty());
  run(left);
  EXPECT_EQ(take_result(), 1 + kChildren);
}

TEST_P(OutOfDeviceMemoryTest, WithoutMemoryForItsLaunchALaterLevelIsHandedBack) {
  constexpr std::uint32_t kChildren = 700;
  queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024});
  run(late_fan_out(1));
  EXPECT_EQ(take_result(), 1u);
  const auto left = left_with(/*free=*/0, late_fan_out(kChildren));
  if (GetParam() == Policy::kKernelPerType) {  // This policy orders its roots by type.
    EXPECT_EQ(left.size(), kChildren);
    EXPECT_EQ(left.level(0), 1u);
  }
  if (!left.empty()) run(left);
  EXPECT_EQ(take_result(), kChildren);
}

// The first wave opens as many joins as there are records for. The next has their leaves, which are
// enough to be spread, and trees without a record have spilled.
TEST_P(OutOfDeviceMemoryTest, WithoutRecordsForJoinsWhatWasSpreadIsHandedBack) {
  constexpr std::size_t kRecords = 32;
  constexpr std::size_t kTrees = 300;
  for (const bool has_list : {true, false}) {
    SCOPED_TRACE(has_list ? "the list of what stays is allocated" : "it is not");
    queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024, .join_capacity = kRecords});
    if (has_list) {
      SharedSegment segment(/*spreads=*/true);
      EXPECT_TRUE(left_with(/*free=*/4 << 20, trees(kRecords, 1, 2), &segment).empty());
      EXPECT_FALSE(segment.given().empty());
    }
    for (const Policy policy : kConcretePolicies) {
      run_tasks(*queue, trees(1, 2, 2), {.policy = policy});
    }
    take_result();
    SharedSegment segment(/*spreads=*/true);
    TaskList<TreeTasks> left = left_with(/*free=*/0, trees(kTrees, 1, 2), &segment);
    const std::size_t open = left.joins().size();
    EXPECT_GT(open, 0u);
    EXPECT_EQ(leaves_in(left), 2 * open);
    // Trees that spilled before the end may have been given.
    left.append(segment.given());
    EXPECT_EQ(left.size(), kTrees - open + 2 * open);
    run(left);
    EXPECT_EQ(take_result(), 2 * kTrees);
  }
}

// The segment ends well: its open joins are read back without a list on the device.
TEST_P(OutOfDeviceMemoryTest, WithoutMemoryToGatherOpenJoinsTheyAreHandedOver) {
  constexpr std::size_t kTrees = 300;
  run(trees(8 * kTrees, 1, 2));  // Allocates all that a segment of such size needs.
  EXPECT_EQ(take_result(), 16 * kTrees);
  {
    SharedSegment segment(/*spreads=*/true);
    EXPECT_TRUE(left_of(trees(kTrees, 1, 2), &segment).empty());
    run(rest_of(segment));
    EXPECT_EQ(take_result(), 2 * kTrees);
  }
  // The list has memory for half as many joins as these.
  SharedSegment segment(/*spreads=*/true);
  EXPECT_TRUE(left_with(/*free=*/0, trees(4 * kTrees, 1, 2), &segment).empty());
  EXPECT_GT(segment.given().joins().size(), kTrees);
  run(rest_of(segment));
  EXPECT_EQ(take_result(), 8 * kTrees);
}

INSTANTIATE_TEST_SUITE_P(Simt, OutOfDeviceMemoryTest, testing::ValuesIn(kConcretePolicies),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

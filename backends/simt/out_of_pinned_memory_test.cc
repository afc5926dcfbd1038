// SPDX-License-Identifier: Apache-2.0

// Tests of runs during which pinned memory ends: they hand back what they have not run.
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/run_test.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace millrace::MILLRACE_GPU {
namespace {

const target::RegisterTasks<TreeTasks> registered_trees;
const target::RegisterTasks<FanOutTasks> registered_fan_outs;

// Lets nobody allocate pinned memory while it exists.
class PinnedLimit {
 public:
  PinnedLimit() { memory_.limit_pinned(memory_.used_pinned()); }
  ~PinnedLimit() { memory_.limit_pinned(std::numeric_limits<std::size_t>::max()); }
  PinnedLimit(const PinnedLimit&) = delete;
  PinnedLimit& operator=(const PinnedLimit&) = delete;

 private:
  simt::SimulatedMemory& memory_ = simt::SimulatedMemory::get();
};

class OutOfPinnedMemoryTest : public RunTest {
 protected:
  // Runs the roots with the pinned memory that is in use, and returns the tasks that are left.
  template <class Set>
  TaskList<Set> left_with_no_more(const TaskList<Set>& roots,
                                  Participant<Set>* participant = nullptr) {
    const PinnedLimit limit;
    return left_of(roots, participant);
  }
};

TEST_P(OutOfPinnedMemoryTest, WithoutAnyToBeginTheRootsAreHandedBack) {
  const TaskList<TreeTasks> roots = trees(5, 2, 2);
  const TaskList<TreeTasks> left = left_with_no_more(roots);
  EXPECT_EQ(tasks_run, 0u);
  EXPECT_EQ(left.size(), roots.size());
  run(left);
  EXPECT_EQ(take_result(), 5u * 4);
}

TEST_P(OutOfPinnedMemoryTest, WithoutAnyToBeginOpenJoinsAreHandedBack) {
  constexpr std::size_t kTrees = 300;
  SharedSegment segment(/*spreads=*/true);
  EXPECT_TRUE(left_of(trees(kTrees, 1, 2), &segment).empty());
  const TaskList<TreeTasks> rest = rest_of(segment);
  ASSERT_FALSE(rest.joins().empty());
  queue = make_gpu_queue(*device);
  const TaskList<TreeTasks> left = left_with_no_more(rest);
  EXPECT_EQ(tasks_run, 0u);
  EXPECT_EQ(left.size(), rest.size());
  EXPECT_EQ(left.joins().size(), rest.joins().size());
  run(left);
  EXPECT_EQ(take_result(), 2 * kTrees);
}

TEST_P(OutOfPinnedMemoryTest, WithoutAnyForWhatHasSpilledItIsHandedBack) {
  constexpr std::uint32_t kChildren = 600;  // A list that kernels read from pinned memory.
  queue = make_gpu_queue(*device, {.task_memory_bytes = 4096});
  run(fan_outs(1, 10));
  EXPECT_EQ(take_result(), 11u);
  const auto left = left_with_no_more(fan_outs(1, kChildren));
  EXPECT_EQ(tasks_run + left.size(), 1 + kChildren);
  ASSERT_FALSE(left.empty());
  run(left);
  EXPECT_EQ(take_result(), 1 + kChildren);
}

TEST_P(OutOfPinnedMemoryTest, WithoutAnyForWhatIsSpreadItIsHandedBack) {
  constexpr std::size_t kTrees = 300;
  run(trees(kTrees, 1, 2));
  EXPECT_EQ(take_result(), 2 * kTrees);
  SharedSegment segment(/*spreads=*/true);
  const TaskList<TreeTasks> left = left_with_no_more(trees(kTrees, 1, 2), &segment);
  EXPECT_TRUE(segment.given().empty());
  EXPECT_EQ(left.size(), 2 * kTrees);
  EXPECT_EQ(left.joins().size(), kTrees);
  run(left);
  EXPECT_EQ(take_result(), 2 * kTrees);
}

TEST_P(OutOfPinnedMemoryTest, WithoutAnyToUploadAPartItIsHandedBack) {
  constexpr std::size_t kTrees = 3'000;  // More than the kernel reads from pinned memory.
  run(trees(1, 1, 2));
  EXPECT_EQ(take_result(), 2u);
  SharedSegment segment(/*spreads=*/false);
  const TaskList<TreeTasks> left = left_with_no_more(trees(kTrees, 1, 2), &segment);
  EXPECT_EQ(tasks_run, 0u);
  EXPECT_EQ(left.size(), kTrees);
  run(left);
  EXPECT_EQ(take_result(), 2 * kTrees);
}

INSTANTIATE_TEST_SUITE_P(Simt, OutOfPinnedMemoryTest, testing::ValuesIn(kConcretePolicies),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

// SPDX-License-Identifier: Apache-2.0

// Tests of trees with levels wider than the device's memory for a wave.
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/backends/simt/run_test.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// The results of a search.
struct WideArguments {
  std::uint64_t* leaves;
  std::uint32_t* has_failed;  // Null if no leaf is to fail.
};

// Counts itself. The first leaf of a run fails if it is to.
struct WideLeaf {
  std::uint32_t padding[3];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const WideArguments& arguments = context.arguments();
    context.add(arguments.leaves, std::uint64_t{1});
    if (arguments.has_failed == nullptr) return;
    if (atomic_exchange<gpu::Scope::kDevice, gpu::Order::kRelaxed>(arguments.has_failed, 1u) == 0) {
      context.fail(1);
    }
  }
};

// A node with kChildren children, or leaves at depth 1.
struct WideNode {
  static constexpr std::uint32_t kChildren = 2;  // Those of a unit fit on the stack of a worker.
  std::uint32_t depth;
  std::uint32_t padding[5];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i < kChildren; ++i) {
      if (depth == 1) {
        context.spawn(WideLeaf{});
      } else {
        context.spawn(WideNode{depth - 1, {}});
      }
    }
  }
};
struct WideTasks : TaskSet<WideNode, WideLeaf> {
  using Arguments = WideArguments;
};

const target::RegisterTasks<WideTasks> registered;
const target::RegisterTasks<TreeTasks> registered_trees;

class WideWaveTest : public RunTest {
 protected:
  static constexpr std::size_t kTaskMemory = std::size_t{1} << 19;
  static constexpr std::uint32_t kDepth = 14;
  static constexpr std::uint64_t kLeaves = std::uint64_t{1} << kDepth;
  static constexpr std::uint64_t kNodes = kLeaves - 1;
  static constexpr std::size_t kArray = kTaskMemory / 4;  // Bytes of a wave's tasks of one type.
  static_assert(kLeaves * sizeof(WideLeaf) > kArray && kLeaves / 2 * sizeof(WideNode) > kArray,
                "the memory of a wave holds neither the last level nor the one before it");

  WideWaveTest() { queue = make_gpu_queue(*device, {.task_memory_bytes = kTaskMemory}); }

  ~WideWaveTest() override { simt::let_launches_fail(0, 0); }

  TaskList<WideTasks> tree(std::uint32_t* has_failed = nullptr) {
    TaskList<WideTasks> roots(WideNode{kDepth, {}});
    roots.set_arguments({result.data(), has_failed});
    return roots;
  }
};

// A run that spills more than a byte would end with UnfinishedRun.
TEST_P(WideWaveTest, ATreeWiderThanTheTaskMemoryDoesNotSpill) {
  for (int round = 0; round < 2; ++round) {
    const RunReport report = run(tree(), {.spill_bytes = 1});
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{kNodes, kLeaves}));
    EXPECT_EQ(take_result(), kLeaves);
  }
}

TEST_P(WideWaveTest, ATreeOfJoinsWiderThanTheTaskMemoryDoesNotSpill) {
  constexpr std::uint32_t kJoinDepth = 14;
  static_assert((sizeof(Tree) << kJoinDepth) > kArray);
  run(trees(1, kJoinDepth, 2), {.spill_bytes = 1});
  EXPECT_EQ(take_result(), std::uint64_t{1} << kJoinDepth);
}

// A leaf fails while tasks of the levels above it wait.
TEST_P(WideWaveTest, TasksThatWaitAreHandedBackAfterAFailure) {
  Buffer<std::uint32_t> has_failed(device, MemorySpace::kDevice, 1);
  fill_bytes(*queue, has_failed.span(), std::byte{0});
  TaskList<WideTasks> left;
  try {
    run(tree(has_failed.data()), {.keep_unfinished = true});
    FAIL() << "no leaf has failed";
  } catch (const FailedRun<WideTasks>& error) {
    left = error.remaining();
    EXPECT_EQ(error.tasks_left(), left.size());
  }
  EXPECT_GT(left.size(), 0u);
  left.set_arguments({result.data(), nullptr});
  run(left);
  EXPECT_EQ(take_result(), kLeaves);
}

// The eighth launch of a run fails.
TEST_P(WideWaveTest, TasksThatWaitAreHandedBackWithoutMemoryForALaunch) {
  constexpr std::uint64_t kLaunches = 8;
  simt::let_launches_fail(/*skipped=*/kLaunches - 1, /*count=*/1);
  const TaskList<WideTasks> left = left_of(tree());
  ASSERT_EQ(simt::launches_to_fail(), 0u);
  EXPECT_GT(left.size(), 0u);
  run(left);
  EXPECT_EQ(take_result(), kLeaves);
}

INSTANTIATE_TEST_SUITE_P(Simt, WideWaveTest,
                         testing::Values(Policy::kUberkernel, Policy::kKernelPerType), policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

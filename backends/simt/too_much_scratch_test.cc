// SPDX-License-Identifier: Apache-2.0

// Tests of tasks of less than a block that request more scratch than their type states: the run
// ends, although a block may have lost the warp that speaks for it.
#include <millrace/backends/simt/run_test.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

// Spawns tasks that request too much, in the wave after the first.
template <TaskWidth width>
struct Greedy {
  static constexpr TaskWidth kWidth = width;
  static constexpr std::size_t kScratchBytes = 64;
  std::uint32_t children;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::size_t words = children > 0 ? 8 : 9;
    auto* const own = context.template scratch<std::uint64_t>(words);
    if (context.lane() != 0) return;
    own[0] = words;
    for (std::uint32_t i = 0; i < children; ++i) context.spawn(Greedy{0});
  }
};
using GreedyLanes = TaskSet<Greedy<TaskWidth::kLane>>;
using GreedyWarps = TaskSet<Greedy<TaskWidth::kWarp>>;

const target::RegisterTasks<GreedyLanes> registered_lanes;
const target::RegisterTasks<GreedyWarps> registered_warps;
const target::RegisterTasks<FanOutTasks> registered_fan_outs;

class TooMuchScratchTest : public RunTest {
 protected:
  // Runs a root with so many children that all fail, and then tasks that do not.
  template <class Set>
  void fail_with(std::uint32_t children) {
    EXPECT_THROW(run(TaskList<Set>(typename Set::template Type<0>{children})), Error);
    run(fan_outs(1, 10));
    EXPECT_EQ(take_result(), 11u);
  }
};

TEST_P(TooMuchScratchTest, ALaneEndsTheRun) {
  for (const std::uint32_t children : {0u, 1u, 3000u}) fail_with<GreedyLanes>(children);
}

TEST_P(TooMuchScratchTest, AWarpEndsTheRun) {
  for (const std::uint32_t children : {0u, 1u, 3000u}) fail_with<GreedyWarps>(children);
}

INSTANTIATE_TEST_SUITE_P(Simt, TooMuchScratchTest, testing::ValuesIn(kConcretePolicies),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

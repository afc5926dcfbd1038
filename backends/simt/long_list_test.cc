// SPDX-License-Identifier: Apache-2.0

// Tests of lists of roots that take too much of the device's memory, and are run in ranges.
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/backends/simt/run_test.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// Counts itself, and spawns a child if its index is a multiple of kInterval.
struct LargeRoot {
  static constexpr std::uint32_t kInterval = 100;
  std::uint64_t* runs;
  std::uint32_t index;
  bool fails;
  std::uint64_t padding[kMaxTaskBytes / sizeof(std::uint64_t) - 2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (fails) return context.fail(1);
    context.add(runs, std::uint64_t{1});
    if (index % kInterval == 0) context.spawn(CountingChild{runs, {}});
  }
};
using LargeTasks = TaskSet<LargeRoot, CountingChild>;

const target::RegisterTasks<LargeTasks> registered;

// Constructed before the device is opened.
class SmallMemory {
 public:
  SmallMemory() { simt::set_memory_bytes(std::size_t{1} << 24); }
  ~SmallMemory() { simt::set_memory_bytes(before_); }

 private:
  const std::size_t before_ = simt::memory_bytes();
};

class LongListTest : private SmallMemory, public RunTest {
 protected:
  static constexpr std::uint32_t kRoots = 10'000;
  static constexpr std::uint64_t kChildren = kRoots / LargeRoot::kInterval;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void SetUp() override {
    RunTest::SetUp();
    ASSERT_LT(device->info().memory_bytes / 16, kRoots * sizeof(LargeRoot)) << "one range has all";
  }

  TaskList<LargeTasks> roots(std::uint32_t failing = kNone) {
    TaskList<LargeTasks> list;
    for (std::uint32_t i = 0; i < kRoots; ++i) {
      list.push(LargeRoot{result.data(), i, i == failing, {}});
    }
    return list;
  }
};

TEST_P(LongListTest, RunsAllOfIt) {
  const RunReport report = run(roots());
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{kRoots, kChildren}));
  EXPECT_EQ(take_result(), kRoots + kChildren);
}

// The task that fails is in the first range or in the last.
TEST_P(LongListTest, WhatFollowsAFailureIsHandedBack) {
  for (const std::uint32_t failing : {10u, kRoots - 10}) {
    TaskList<LargeTasks> left;
    try {
      run(roots(failing), {.keep_unfinished = true});
      ADD_FAILURE() << "no task has failed";
    } catch (const FailedRun<LargeTasks>& error) {
      left = error.remaining();
      EXPECT_EQ(error.tasks_left(), left.size());
    }
    if (failing == 10) {
      EXPECT_GT(left.size(), kRoots / 10) << "the last range was not handed back";
    }
    run(left);
    EXPECT_EQ(take_result(), kRoots - 1 + kChildren);
  }
}

INSTANTIATE_TEST_SUITE_P(Simt, LongListTest, testing::ValuesIn(kConcretePolicies), policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

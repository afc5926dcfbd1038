// SPDX-License-Identifier: Apache-2.0

// Tests that runs in waves leave the memory of their tasks to later runs of the queue.
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/cpu/run/kept_lists.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

namespace millrace::tbb_backend {
namespace {

struct Leaf {
  template <class Context>
  void operator()(Context&) const {}
};

struct WideFanOut {
  int width;

  template <class Context>
  void operator()(Context& context) const {
    for (int i = 0; i < width; ++i) context.spawn(Leaf{});
  }
};

using FanOutTasks = TaskSet<WideFanOut, Leaf>;
const cpu::RegisterTasks<FanOutTasks> registered;

class KeptMemoryTest : public testing::TestWithParam<Policy> {};

TEST_P(KeptMemoryTest, IsUsedByLaterRuns) {
  constexpr int kWidth = 1000;
  const auto queue = open_device("tbb")->make_queue({.concurrency = 1});
  auto& kept = cpu::threads_of(*queue).kept().of<cpu::KeptLists<FanOutTasks>>();
  for (int run = 0; run < 10; ++run) {
    EXPECT_EQ(run_tasks(*queue, TaskList<FanOutTasks>(WideFanOut{kWidth}), {.policy = GetParam()})
                  .tasks(),
              kWidth + 1u);
  }
  // The fan-out ran on one of two workers, each of which has filled one list with leaves at most.
  int large = 0;
  for (const auto& [tasks] : kept.take(0)) {
    large += tasks.memory_bytes() >= kWidth * sizeof(TaskSlot<FanOutTasks>) ? 1 : 0;
  }
  EXPECT_GE(large, 1);
  EXPECT_LE(large, 2);
}

INSTANTIATE_TEST_SUITE_P(Tbb, KeptMemoryTest,
                         testing::Values(Policy::kUberkernel, Policy::kKernelPerType),
                         [](const auto& info) { return std::to_string(info.index); });

}  // namespace
}  // namespace millrace::tbb_backend

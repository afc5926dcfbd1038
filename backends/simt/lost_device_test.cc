// SPDX-License-Identifier: Apache-2.0

// Tests of runs that several devices share and that lose one of them: what the host holds, and what
// other devices have not started, is handed back.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/simt/task_target.h>
#include <millrace/runtime/group/run_shared_tasks.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

struct HeapArguments {
  std::uint32_t* runs;  // Runs of each node, by its index, in host memory like all here.
  std::uint32_t nodes;
  std::int32_t* until_loss;  // Tasks after which the device is lost; null if it is not.
};

// Node `index` of a heap with three children a node. The error of the task that loses the device is
// that of its kernel, as for an address that is not there.
struct HeapNode {
  static constexpr bool kTravels = true;
  std::uint32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const HeapArguments& own = context.arguments();
    std::atomic_ref(own.runs[index]).fetch_add(1, std::memory_order_relaxed);
    if (own.until_loss != nullptr &&
        std::atomic_ref(*own.until_loss).fetch_sub(1, std::memory_order_relaxed) == 1) {
      throw Error(ErrorCode::kDeviceLost, "it fell off");
    }
    for (std::uint32_t child = 3 * index + 1; child < 3 * index + 4; ++child) {
      if (child < own.nodes) context.spawn(HeapNode{child});
    }
  }
};
struct HeapTasks : TaskSet<HeapNode> {
  using Arguments = HeapArguments;
};
const target::RegisterTasks<HeapTasks> registered;

class LostDeviceTest : public testing::TestWithParam<Policy> {
 protected:
  static constexpr std::uint32_t kNodes = 2'000;

  // Roots are the nodes of a level of the heap, so that both devices begin with some.
  SharedTasks<HeapTasks> tasks(const TaskList<HeapTasks>& roots) {
    return {.roots = roots, .prepare = [this](Queue& queue) -> HeapArguments {
              const bool is_lost = queue.device().info().name == "simt:0";
              return {runs.data(), kNodes, is_lost && until_loss > 0 ? &until_loss : nullptr};
            }};
  }
  static TaskList<HeapTasks> roots() {
    TaskList<HeapTasks> list;
    for (std::uint32_t i = 13; i < 40; ++i) list.push(HeapNode{i});
    return list;
  }

  static DeviceGroup group_of(std::vector<std::shared_ptr<Device>> devices) {
    return DeviceGroup(std::move(devices));
  }

  std::vector<std::uint32_t> runs = std::vector<std::uint32_t>(kNodes);
  std::int32_t until_loss = 0;
};

TEST_P(LostDeviceTest, WhatCanBeReadIsHandedBackAndRunsElsewhere) {
  for (const std::int32_t after : {1, 5, 40, 200}) {
    SCOPED_TRACE("the device is lost after " + std::to_string(after) + " tasks");
    std::ranges::fill(runs, 0);
    until_loss = after;
    const DeviceGroup group = group_of({open_gpu(0), open_gpu(1)});
    try {
      run_tasks(group, tasks(roots()), {.policy = GetParam(), .keep_unfinished = true});
      EXPECT_GT(until_loss, 0);  // The other device has done nearly all.
    } catch (const FailedRun<HeapTasks>& failed) {
      EXPECT_EQ(failed.code(), ErrorCode::kDeviceLost);
      EXPECT_EQ(std::string(failed.failure().what()), "simt:0: it fell off");
      EXPECT_FALSE(failed.tasks_left().has_value());
      EXPECT_TRUE(group.queue(0).has_failed());
      EXPECT_FALSE(group.queue(1).has_failed());
      for (std::size_t i = 0; i < failed.remaining().size(); ++i) {
        EXPECT_EQ(runs[failed.remaining().view().get<HeapNode>(i).index], 0u);
      }
      // The other device goes on with what is left, of which nothing has run.
      const DeviceGroup rest = group_of({group.device(1)});
      run_tasks(rest, tasks(failed.remaining()));
    }
    EXPECT_LE(*std::ranges::max_element(runs), 1u);
  }
}

TEST_P(LostDeviceTest, ADeviceThatIsLostBeforeItsFirstLaunchHandsAllItsTasksBack) {
  const auto lost = open_gpu(0);
  const DeviceGroup group = group_of({lost, open_gpu(1)});
  lost->mark_lost("it fell out");
  try {
    run_tasks(group, tasks(roots()), {.policy = GetParam(), .keep_unfinished = true});
  } catch (const FailedRun<HeapTasks>& failed) {
    EXPECT_EQ(failed.code(), ErrorCode::kDeviceLost);
    EXPECT_TRUE(std::string(failed.what()).starts_with("simt:0: ")) << failed.what();
    EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
    run_tasks(group_of({group.device(1)}), tasks(failed.remaining()));
  }
  for (std::uint32_t i = 0; i < kNodes; ++i) EXPECT_EQ(runs[i], i < 13 ? 0u : 1u) << "node " << i;
}

INSTANTIATE_TEST_SUITE_P(Simt, LostDeviceTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace millrace::MILLRACE_GPU

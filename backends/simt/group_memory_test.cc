// SPDX-License-Identifier: Apache-2.0

// Tests of runs over a group of which a device has no memory left: they hand back what no device
// has run.
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/run_test.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/run_shared_tasks.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

const target::RegisterTasks<TreeTasks> registered;

constexpr std::size_t kDevices = 2;

class GroupMemoryTest : public testing::TestWithParam<Policy> {
 protected:
  // The roots are so many that each device begins with some of them.
  static constexpr std::size_t kTrees = 4'200;

  // The devices have begun together, lest one runs all tasks before the other requests some.
  SharedTasks<TreeTasks> tasks(TaskList<TreeTasks> roots) {
    SharedTasks<TreeTasks> shared;
    shared.roots = std::move(roots);
    shared.prepare = [this](Queue& queue) {
      Buffer<std::uint64_t>& own = result_of(queue);
      fill_bytes(queue, own.span(), std::byte{0});
      begin_.arrive_and_wait();
      return TreeArguments{own.data()};
    };
    shared.finish = [this](Queue& queue) {
      std::uint64_t found = 0;
      queue.copy(&found, result_of(queue).data(), sizeof(found), {}, {});
      queue.wait();
      leaves += found;
    };
    return shared;
  }

  // Trees of one leaf each.
  static TaskList<TreeTasks> trees(std::size_t count) {
    TaskList<TreeTasks> roots;
    for (std::size_t i = 0; i < count; ++i) roots.push(Tree{{}, /*depth=*/1, /*width=*/1});
    return roots;
  }

  // Lets each device allocate all memory of a run but that of more joins.
  void run_on_each() {
    for (std::size_t i = 0; i < kDevices; ++i) {
      TaskList<TreeTasks> roots = trees(16);
      roots.set_arguments({result_of(group->queue(i)).data()});
      run_tasks(group->queue(i), roots, {.policy = GetParam()});
    }
  }

  // Takes all memory of a device.
  Buffer<char> all_of(std::size_t device) const {
    const std::size_t used = simt::SimulatedMemory::get().used(static_cast<int>(device));
    return {group->device(device), MemorySpace::kDevice,
            group->device(device)->info().memory_bytes - used};
  }

  // Runs the roots, and returns what is left for lack of memory on `device`.
  TaskList<TreeTasks> left_of(const TaskList<TreeTasks>& roots, std::size_t device) {
    try {
      const SharedRunReport report = run_tasks(*group, tasks(roots), {.policy = GetParam()});
      EXPECT_EQ(report.devices[device].exchanged.segments, 0u);
      return {};
    } catch (const UnfinishedRun<TreeTasks>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_NE(std::string(error.what()).find("a run ended for lack of memory: "),
                std::string::npos)
          << error.what();
      EXPECT_EQ(error.tasks_left(), error.remaining().size());
      EXPECT_FALSE(error.remaining().empty());
      return error.remaining();
    }
  }

  // Runs trees while `device` has no memory, and what is left while it has some.
  void expect_nothing_lost(std::size_t device) {
    SCOPED_TRACE("device " + std::to_string(device) + " has no memory");
    leaves = 0;
    TaskList<TreeTasks> left;
    {
      const Buffer<char> all = all_of(device);
      left = left_of(trees(kTrees), device);
    }
    if (!left.empty()) run_tasks(*group, tasks(left), {.policy = GetParam()});
    EXPECT_EQ(leaves, kTrees);
  }

  // The runs of a new group have no memory yet.
  static std::unique_ptr<DeviceGroup> make_group() {
    const std::vector<QueueOptions> options(kDevices,
                                            {.task_memory_bytes = 64 * 1024, .join_capacity = 16});
    return std::make_unique<DeviceGroup>(
        std::vector<std::shared_ptr<Device>>{open_gpu(0), open_gpu(1)}, options);
  }

  std::unique_ptr<DeviceGroup> group = make_group();
  std::atomic<std::uint64_t> leaves = 0;

 private:
  Buffer<std::uint64_t>& result_of(const Queue& queue) {
    return results_[&queue == &group->queue(0) ? 0 : 1];
  }

  std::barrier<> begin_{kDevices};
  std::array<Buffer<std::uint64_t>, kDevices> results_{
      Buffer<std::uint64_t>{group->device(0), MemorySpace::kDevice, 1},
      Buffer<std::uint64_t>{group->device(1), MemorySpace::kDevice, 1}};
};

TEST_P(GroupMemoryTest, WithoutMemoryToBeginOnOneDeviceAllTasksAreHandedBack) {
  for (std::size_t device = 0; device < kDevices; ++device) {
    group = make_group();
    expect_nothing_lost(device);
  }
}

TEST_P(GroupMemoryTest, WithoutRecordsForJoinsOnOneDeviceAllTasksAreHandedBack) {
  for (std::size_t device = 0; device < kDevices; ++device) {
    group = make_group();
    run_on_each();
    expect_nothing_lost(device);
  }
}

TEST_P(GroupMemoryTest, WithoutMemoryOnAnyDeviceAllRootsAreHandedBack) {
  TaskList<TreeTasks> left;
  {
    const Buffer<char> first = all_of(0);
    const Buffer<char> second = all_of(1);
    left = left_of(trees(kTrees), 0);
  }
  EXPECT_EQ(left.size(), kTrees);
  EXPECT_EQ(leaves, 0u);
  run_tasks(*group, tasks(left), {.policy = GetParam()});
  EXPECT_EQ(leaves, kTrees);
}

// Under the third policy a group launches waves as under the second.
INSTANTIATE_TEST_SUITE_P(Simt, GroupMemoryTest,
                         testing::Values(Policy::kPersistentThreads, Policy::kUberkernel),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU

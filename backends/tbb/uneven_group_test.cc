// SPDX-License-Identifier: Apache-2.0

// One spawning queue on seven devices, some of which are slow or have nothing to do.
#include <millrace/backends/tbb/tbb_device.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/tests/conformance/shared/leaf_roles.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

constexpr std::size_t kDevices = 7;
constexpr std::uint32_t kDepth = 8;

// The simulated GPUs there are, and CPUs that have workers of their own.
DeviceGroup seven_devices() {
  std::vector<std::shared_ptr<Device>> devices;
  for (const DeviceInfo& info : list_devices()) {
    if (info.is_simulated && devices.size() < kDevices) devices.push_back(open_device(info.name));
  }
  while (devices.size() < kDevices) devices.push_back(std::make_shared<tbb_backend::TbbDevice>());
  return DeviceGroup(std::move(devices));
}

std::vector<SharedNode> nodes(std::uint64_t count, std::uint32_t depth) {
  std::vector<SharedNode> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back({splitmix64(i), depth, 0});
  return all;
}

std::uint64_t tasks_of_devices(const SharedRunReport& report) {
  std::uint64_t tasks = 0;
  for (const SharedDeviceReport& device : report.devices) tasks += device.run.tasks();
  return tasks;
}

TEST(UnevenGroup, RunsEachTaskOnceOnSevenDevices) {
  const DeviceGroup group = seven_devices();
  for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
    for (const std::uint64_t count : {1, 7, 100}) {
      const auto roots = nodes(count, kDepth);
      AllSums sums;
      const auto report = run_tasks(group, sums.tasks(list_of(roots)), {.policy = policy});
      EXPECT_EQ(sums.totals(), shared_totals(roots)) << to_string(policy) << ", " << count;
      EXPECT_EQ(report.devices.size(), kDevices);
      EXPECT_EQ(tasks_of_devices(report), shared_totals(roots)[0]);
    }
  }
}

// Leaves fail on one device and wait on the others, so the run ends only once some have begun
// there. Each device begins with some of so many.
TEST(UnevenGroup, NamesTheOneOfSevenThatFailsAndHandsBackTheRest) {
  const DeviceGroup group = seven_devices();
  const auto leaves = nodes(kSharingThreshold + 100, /*depth=*/0);
  const Totals expected = shared_totals(leaves);
  for (std::size_t bad = 0; bad < kDevices; ++bad) {
    LeafRoles roles(group, LeafRole::kWaits);
    roles.set(bad, LeafRole::kFails);
    const std::string name = group.device(bad)->info().name;
    AllSums sums;
    TaskList<SharedTreeTasks> rest;
    try {
      run_tasks(group, roles.give_to(sums.tasks(list_of(leaves))), {.keep_unfinished = true});
      ADD_FAILURE() << "no error";
    } catch (const FailedRun<SharedTreeTasks>& failed) {
      EXPECT_EQ(failed.detail(), kLeafFailure) << failed.what();
      EXPECT_TRUE(std::string_view(failed.what()).starts_with(name + ": ")) << failed.what();
      EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
      rest = failed.remaining();
    }
    // The other six go on.
    auto others = group.devices();
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(bad));
    EXPECT_FALSE(rest.empty());
    run_tasks(DeviceGroup(others), sums.tasks(rest));
    EXPECT_EQ(sums.totals(), expected) << "device " << bad;
  }
}

TEST(UnevenGroup, JoinsChildrenOnSevenDevices) {
  constexpr std::uint32_t kCalls = 15;
  const DeviceGroup group = seven_devices();
  AllSums sums;
  run_tasks(group, sums.tasks(TaskList<SharedCallTasks>(SharedStart{kCalls, 0})));
  EXPECT_EQ(sums.totals()[0], fibonacci(kCalls));
}

TEST(UnevenGroup, LeavesDevicesWithoutTasks) {
  const DeviceGroup group = seven_devices();
  AllSums sums;
  const auto report = run_tasks(group, sums.tasks(list_of(nodes(1, /*depth=*/0))));
  EXPECT_EQ(sums.totals()[0], 1);
  std::size_t busy = 0;
  for (const SharedDeviceReport& device : report.devices) busy += device.exchanged.segments > 0;
  EXPECT_EQ(busy, 1);
}

// A node takes a hundred times as long on one device, whichever it is.
TEST(UnevenGroup, EndsWithASlowDevice) {
  constexpr std::uint32_t kDetours = 20'000;
  const auto roots = nodes(20, kDepth);
  const Totals expected = shared_totals(roots);
  const DeviceGroup group = seven_devices();
  for (const std::size_t slow : {std::size_t{0}, kDevices - 1}) {
    AllSums sums;
    SharedTasks<SharedTreeTasks> tasks = sums.tasks(list_of(roots));
    tasks.prepare = [&, prepare = tasks.prepare](Queue& queue) {
      DeviceSums arguments = prepare(queue);
      if (&queue == &group.queue(slow)) arguments.detours = kDetours;
      return arguments;
    };
    run_tasks(group, tasks);
    EXPECT_EQ(sums.totals()[0], expected[0]) << "device " << slow;
    EXPECT_EQ(sums.totals()[1], expected[1]) << "device " << slow;
  }
}

}  // namespace
}  // namespace millrace::conformance

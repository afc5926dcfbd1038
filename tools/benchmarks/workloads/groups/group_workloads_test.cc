// SPDX-License-Identifier: Apache-2.0

// Every workload of groups, small, on the CPU with a simulated GPU and on two simulated GPUs.
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>
#include <millrace/tools/benchmarks/workloads/groups/group_runs.h>
#include <millrace/tools/benchmarks/workloads/groups/group_stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/tasks/waiting_stress.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using Names = std::vector<std::string>;

Names workload_names() {
  Names names;
  for (const Workload& workload : group_workloads()) names.push_back(workload.name);
  return names;
}

class GroupWorkloadTest : public testing::TestWithParam<std::tuple<std::string, Names>> {
 protected:
  PreparedWork prepare() const {
    const std::vector<Workload> all = group_workloads();
    const Workload& workload = *std::ranges::find(all, std::get<0>(GetParam()), &Workload::name);
    std::vector<std::shared_ptr<Device>> devices;
    for (const std::string& name : std::get<1>(GetParam())) devices.push_back(open_device(name));
    DeviceInfo simulated;
    simulated.is_simulated = true;
    const std::uint64_t size = std::min<std::uint64_t>(workload.sizes(simulated, true)[0], 10'000);
    return workload.prepare_group(devices, workload.inputs.front(), size);
  }
};

TEST_P(GroupWorkloadTest, OneDeviceAndTheGroupAreRightAndTheirFractionsAreOneInAll) {
  PreparedWork work = prepare();
  ASSERT_EQ(work.runs.size(), 2U);
  EXPECT_THAT((Names{work.runs[0].strategy, work.runs[1].strategy}),
              ElementsAre(kOneDevice, kGroup));
  const RunAmount one = work.runs[0].check();
  EXPECT_GT(one.items, 0);
  EXPECT_TRUE(one.values.empty());
  const RunAmount group = work.runs[1].check();
  EXPECT_EQ(group.items, one.items);
  double sum = 0;
  for (const std::string& device : std::get<1>(GetParam())) {
    ASSERT_TRUE(group.values.contains("fraction of " + device)) << device;
    sum += group.values.at("fraction of " + device);
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  for (const WorkRun& run : work.runs) EXPECT_GT(run.run(), 0);
}

INSTANTIATE_TEST_SUITE_P(EachOnEach, GroupWorkloadTest,
                         testing::Combine(testing::ValuesIn(workload_names()),
                                          testing::Values(Names{"tbb", "simt:0"},
                                                          Names{"simt:0", "simt:1"})),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param);
                           for (const std::string& device : std::get<1>(info.param))
                             name += '_' + device;
                           std::erase(name, ':');
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Forests with joins and forests that only spawn, under each policy, with each number of records
// for joins, stopped and not, some with so many roots that they are dealt out.
TEST(GroupStressTest, SharedForestsAreRight) {
  for (const Names& names : {Names{"tbb", "simt:0"}, Names{"simt:0", "simt:1", "tbb"}}) {
    std::vector<std::shared_ptr<Device>> devices;
    for (const std::string& name : names) devices.push_back(open_device(name));
    std::set<std::pair<StressKind, Policy>> kinds;
    std::set<std::size_t> join_capacities;
    int shared = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const StressShape shape = draw_group_stress_shape(seed, /*is_simulated=*/true);
      kinds.insert({shape.kind, shape.policy});
      join_capacities.insert(shape.join_capacity);
      const std::vector<QueueOptions> options(
          devices.size(),
          {.task_memory_bytes = shape.task_memory_bytes, .join_capacity = shape.join_capacity});
      const DeviceGroup group(devices, options);
      const auto result = run_waiting_stress(examples::ExampleDevices(group), shape);
      EXPECT_EQ(fault_of(shape, result.outcome), "") << to_text(shape);
      EXPECT_EQ(result.devices.size(), devices.size());
      const auto is_busy = [](const auto& device) { return device.run.tasks() > 0; };
      if (std::ranges::count_if(result.devices, is_busy) > 1) ++shared;
    }
    EXPECT_EQ(kinds.size(), 2 * std::size(kConcretePolicies));
    EXPECT_THAT(join_capacities, ElementsAre(0, 1, 2, 64));
    EXPECT_GT(shared, 0);
  }
}

TEST(GroupStressTest, RootsOfEveryFourthShapeAreDealtOut) {
  for (const bool is_simulated : {false, true}) {
    int below = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const StressShape shape = draw_group_stress_shape(seed, is_simulated);
      if (seed % 4 == 0) {
        EXPECT_GE(shape.roots, kSharingThreshold) << to_text(shape);
      }
      if (shape.roots < kSharingThreshold) ++below;
    }
    EXPECT_GT(below, 0);
  }
}

TEST(GroupStressTest, RunsOfWhichNoneIsSharedAreWrong) {
  EXPECT_THROW(check_shared(4, 0), Error);
  EXPECT_THROW(check_shared(1000, 0), Error);
  EXPECT_NO_THROW(check_shared(3, 0));
  EXPECT_NO_THROW(check_shared(1000, 1));
}

TEST(GroupStressTest, TheCheckCountsSharedRuns) {
  const std::vector<Workload> all = group_workloads();
  const Workload& stress = *std::ranges::find(all, "group-stress", &Workload::name);
  const auto prepared =
      stress.prepare_group({open_device("simt:0"), open_device("simt:1")}, "seed-1", 20);
  const RunAmount group = prepared.runs[1].check();
  EXPECT_GE(group.values.at("shared runs"), 1);
  EXPECT_LE(group.values.at("shared runs"), 20);
}

TEST(GroupRunsTest, AWrongResultOfTheGroupIsThrown) {
  const GroupWork right{.run = [] {}, .check = [] {}};
  const GroupWork wrong{.run = [] {},
                        .check = [] { throw Error(ErrorCode::kInternal, "the group differs"); }};
  const auto runs = group_runs({10}, right, wrong, [] { return std::vector<DevicePortion>{}; });
  EXPECT_EQ(runs[0].check().items, 10);
  EXPECT_THROW(runs[1].check(), Error);
}

TEST(GroupRunsTest, FractionsAreThoseOfTheSecondRun) {
  int count = 0;
  const GroupWork work{.run = [&] { ++count; }, .check = [] {}};
  const auto portions = [&] {
    DevicePortion first;
    first.device = "tbb";
    first.items = static_cast<std::uint64_t>(count);
    DevicePortion second;
    second.device = "simt:0";
    second.items = 6;
    return std::vector{first, second};
  };
  const RunAmount amount = group_runs({8}, work, work, portions)[1].check();
  EXPECT_DOUBLE_EQ(amount.values.at("fraction of tbb"), 0.25);
  EXPECT_DOUBLE_EQ(amount.values.at("fraction of simt:0"), 0.75);
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/tools/benchmarks/workloads/groups/group_runs.h>
#include <millrace/tools/benchmarks/workloads/groups/group_stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/tasks/waiting_stress.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using examples::ExampleDevices;

// Returns true if the roots are dealt out and no deadline stops the run, after which only what is
// left counts.
bool is_to_be_shared(const StressShape& shape) {
  return shape.roots >= kSharingThreshold && shape.first_deadline.count() == 0;
}

// Runs on the first device alone, and on all.
class GroupStress {
 public:
  GroupStress(Devices devices, std::uint64_t seed, std::uint64_t runs)
      : devices_(std::move(devices)),
        amount_{static_cast<double>(runs)},
        one_(seed, runs, draw(),
             [this](const StressShape& shape, double& seconds) {
               return run(ExampleDevices(group_for(shape).queue(0)), shape, seconds);
             }),
        all_(seed, runs, draw(), [this](const StressShape& shape, double& seconds) {
          return run(ExampleDevices(group_for(shape)), shape, seconds);
        }) {}

  static PreparedWork prepare(const std::shared_ptr<GroupStress>& it) {
    const auto check_one = [it] {
      it->one_.run();
      return it->amount_;
    };
    const auto check_all = [it] { return it->check_all(); };
    return {"",
            {WorkRun{.strategy = kOneDevice,
                     .check = check_one,
                     .run = [it] { return it->one_.run_some(); }},
             WorkRun{.strategy = kGroup, .check = check_all, .run = [it] {
                       return it->all_.run_some();
                     }}}};
  }

 private:
  StressRuns::Draw draw() const {
    return [is_simulated = has_simulated(devices_)](std::uint64_t seed) {
      return draw_group_stress_shape(seed, is_simulated);
    };
  }

  // Returns the group that all runs with these options share.
  DeviceGroup& group_for(const StressShape& shape) {
    std::unique_ptr<DeviceGroup>& group = groups_[{shape.task_memory_bytes, shape.join_capacity}];
    if (!group) {
      const std::vector<QueueOptions> options(
          devices_.size(),
          {.task_memory_bytes = shape.task_memory_bytes, .join_capacity = shape.join_capacity});
      group = std::make_unique<DeviceGroup>(devices_, options);
    }
    return *group;
  }

  StressOutcome run(const ExampleDevices& on, const StressShape& shape, double& seconds) {
    WaitingStressResult result = run_waiting_stress(on, shape);
    seconds += result.seconds;
    std::size_t busy = 0;
    for (const SharedDeviceReport& device : result.devices) {
      tasks_[device.device] += static_cast<double>(device.run.tasks());
      busy += device.run.tasks() > 0 ? 1 : 0;
    }
    shared_ += busy > 1 ? 1 : 0;
    to_be_shared_ += is_to_be_shared(shape) ? 1 : 0;
    return std::move(result.outcome);
  }

  RunAmount check_all() {
    tasks_.clear();
    shared_ = to_be_shared_ = 0;
    all_.run();
    if (devices_.size() > 1) check_shared(to_be_shared_, shared_);
    double sum = 0;
    for (const auto& [device, tasks] : tasks_) sum += tasks;
    RunAmount amount = amount_;
    for (const auto& [device, tasks] : tasks_) {
      amount.values["fraction of " + device] = sum > 0 ? tasks / sum : 0;
    }
    amount.values["shared runs"] = static_cast<double>(shared_);
    return amount;
  }

  const Devices devices_;
  const RunAmount amount_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<DeviceGroup>> groups_;
  std::map<std::string, double> tasks_;  // Number of tasks of each device.
  std::uint64_t shared_ = 0;             // Runs in which several devices ran tasks.
  std::uint64_t to_be_shared_ = 0;       // Runs of which each device begins with some roots.
  StressRuns one_;
  StressRuns all_;
};

}  // namespace

StressShape draw_group_stress_shape(std::uint64_t seed, bool is_simulated) {
  constexpr std::uint32_t kMost = 20'000;
  constexpr std::uint32_t kMostSimulated = 300;
  constexpr std::uint32_t kMostRootsSimulated = kSharingThreshold + 500;
  if (seed % 4 != 0) {
    return draw_stress_shape(seed, is_simulated ? kMostSimulated : kMost, kSharedStressKinds);
  }
  return draw_stress_shape(seed, is_simulated ? kMostRootsSimulated : kMost, kSharedStressKinds,
                           kSharingThreshold);
}

void check_shared(std::uint64_t to_be_shared, std::uint64_t shared) {
  constexpr std::uint64_t kNoChance = 4;
  if (shared > 0 || to_be_shared < kNoChance) return;
  throw Error(ErrorCode::kInternal, "one device ran all tasks in each of " +
                                        std::to_string(to_be_shared) +
                                        " runs whose roots are dealt out");
}

Workload group_stress_workload() {
  Workload workload;
  workload.name = "group-stress";
  workload.what = "SIZE shared runs of random forests, policies and memory, each checked";
  workload.strategies = {kOneDevice, kGroup};
  take_stress_seeds(workload);
  workload.prepare_group = [](const Devices& devices, const std::string& input,
                              std::uint64_t size) {
    return GroupStress::prepare(std::make_shared<GroupStress>(devices, *stress_seed(input), size));
  };
  return workload;
}

}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/tools/benchmarks/workloads/groups/group_runs.h>
#include <millrace/tools/benchmarks/workloads/groups/shared_task_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/uts_trees.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using examples::ExampleDevices;

// The result of a run.
struct Outcome {
  bool is_right = false;
  double items = 0;  // Tasks, or nodes.
  double seconds = 0;
  std::vector<SharedDeviceReport> devices;
};
using Run = std::function<Outcome(const ExampleDevices&)>;

// A run on one device or on several. The devices' queues are kept from run to run.
class SharedRuns {
 public:
  SharedRuns(const Devices& devices, Run run)
      : group_(devices), one_(group_.queue(0)), all_(group_), run_(std::move(run)) {}

  static PreparedWork prepare(const std::shared_ptr<SharedRuns>& it) {
    const auto run_of = [&it](const char* strategy, const ExampleDevices& devices) {
      return WorkRun{.strategy = strategy,
                     .check = [it, &devices] { return it->check(devices); },
                     .run = [it, &devices] { return it->run_(devices).seconds; }};
    };
    return {"", {run_of(kOneDevice, it->one_), run_of(kGroup, it->all_)}};
  }

 private:
  RunAmount check(const ExampleDevices& devices) const {
    run_(devices);  // Memory is allocated, and speeds of the devices are learned.
    const Outcome outcome = run_(devices);
    if (!outcome.is_right) throw Error(ErrorCode::kInternal, "the result is wrong");
    RunAmount amount{outcome.items};
    if (outcome.devices.size() < 2) return amount;
    double tasks = 0;
    for (const auto& device : outcome.devices) tasks += static_cast<double>(device.run.tasks());
    for (const auto& device : outcome.devices) {
      amount.values["fraction of " + device.device] =
          static_cast<double>(device.run.tasks()) / tasks;
    }
    return amount;
  }

  const DeviceGroup group_;
  const ExampleDevices one_;
  const ExampleDevices all_;
  const Run run_;
};

Workload shared_workload(const std::string& name, const std::string& what,
                         const std::string& item_name) {
  Workload workload;
  workload.name = "group-" + name;
  workload.what = what;
  workload.item_name = item_name;
  workload.strategies = {kOneDevice, kGroup};
  return workload;
}

Workload tree_workload() {
  Workload workload = shared_workload(
      "tree", "a tree of the unbalanced tree search benchmark, a task for each node", "nodes");
  workload.inputs = uts_tree_names();
  workload.sizes =
      SizeChoice{.cpu = {kWholeUtsTree}, .gpu = {kWholeUtsTree}, .quick = 60, .simulated = 40};
  workload.size_rule = kUtsSizeRule;
  workload.is_size = is_uts_size;
  workload.prepare_group = [](const Devices& devices, const std::string& input,
                              std::uint64_t size) {
    const examples::UtsOptions options{.tree = scaled_uts_tree(input, static_cast<int>(size)),
                                       .max_depth = kMaxUtsDepth};
    const examples::UtsCounts right = known_uts_counts(options.tree);
    return SharedRuns::prepare(std::make_shared<SharedRuns>(devices, [=](const auto& on) {
      auto result = examples::search_uts(on, options);
      return Outcome{result.counts == right, static_cast<double>(result.counts.nodes),
                     result.report.seconds, std::move(result.devices)};
    }));
  };
  return workload;
}

Workload calls_workload() {
  Workload workload =
      shared_workload("calls", "a number of Fibonacci by a task and a join for each call", "tasks");
  workload.sizes = SizeChoice{.cpu = {30}, .gpu = {40}, .quick = 16, .simulated = 12};
  workload.size_rule = "is the number's index, at most " + std::to_string(examples::kMaxFibonacci);
  workload.is_size = [](std::uint64_t size) { return size <= examples::kMaxFibonacci; };
  workload.prepare_group = [](const Devices& devices, const std::string&, std::uint64_t size) {
    const examples::FibonacciOptions options{.n = static_cast<int>(size)};
    const std::uint64_t right = examples::fibonacci_by_additions(options.n);
    return SharedRuns::prepare(std::make_shared<SharedRuns>(devices, [=](const auto& on) {
      auto result = examples::compute_fibonacci(on, options);
      return Outcome{result.value == right, static_cast<double>(result.report.tasks()),
                     result.report.seconds, std::move(result.devices)};
    }));
  };
  return workload;
}

}  // namespace

std::vector<Workload> shared_task_workloads() { return {tree_workload(), calls_workload()}; }

}  // namespace millrace::tools

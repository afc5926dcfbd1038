// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/groups/group_runs.h>

#include <algorithm>
#include <cstdint>

namespace millrace::tools {
namespace {

void add_fractions(const std::vector<DevicePortion>& portions, RunAmount& amount) {
  std::uint64_t items = 0;
  for (const DevicePortion& portion : portions) items += portion.items;
  for (const DevicePortion& portion : portions) {
    amount.values["fraction of " + portion.device] =
        items == 0 ? 0 : static_cast<double>(portion.items) / static_cast<double>(items);
  }
}

}  // namespace

bool has_simulated(const std::vector<std::shared_ptr<Device>>& devices) {
  return std::ranges::any_of(devices, [](const auto& each) { return each->info().is_simulated; });
}

std::vector<WorkRun> group_runs(const RunAmount& amount, const GroupWork& one,
                                const GroupWork& group,
                                const std::function<std::vector<DevicePortion>()>& portions) {
  const auto run_of = [](const char* strategy, const GroupWork& work) {
    return WorkRun{.strategy = strategy,
                   .check = {},
                   .run = [run = work.run] { return seconds_of(run); },
                   .is_streamed = true};
  };
  std::vector<WorkRun> runs = {run_of(kOneDevice, one), run_of(kGroup, group)};
  runs[0].check = [=] {
    one.run();
    one.check();
    return amount;
  };
  runs[1].check = [=] {
    group.run();  // Speeds of the devices are learned.
    group.run();
    group.check();
    RunAmount all = amount;
    add_fractions(portions(), all);
    return all;
  };
  return runs;
}

}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0

// The two runs that workloads of groups compare.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_RUNS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <functional>
#include <memory>
#include <vector>

namespace millrace::tools {

inline constexpr char kOneDevice[] = "one";
inline constexpr char kGroup[] = "group";

// Returns whether a device is simulated, and the work is to be small.
bool has_simulated(const std::vector<std::shared_ptr<Device>>& devices);

// The work of one device or of the group.
struct GroupWork {
  // Runs once.
  std::function<void()> run;

  // Throws kInternal unless the last run's result is right.
  std::function<void()> check;
};

// Returns the runs of the first device alone and of the group. `portions` returns those of the
// devices in the group's last run.
std::vector<WorkRun> group_runs(const RunAmount& amount, const GroupWork& one,
                                const GroupWork& group,
                                const std::function<std::vector<DevicePortion>()>& portions);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_GROUPS_GROUP_RUNS_H_

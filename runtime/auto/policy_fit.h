// SPDX-License-Identifier: Apache-2.0

// Costs of policies (policy_model.h) from measured runs.
#ifndef MILLRACE_RUNTIME_AUTO_POLICY_FIT_H_
#define MILLRACE_RUNTIME_AUTO_POLICY_FIT_H_

#include <vector>

#include <millrace/runtime/auto/policy_model.h>

namespace millrace {

// A run of tasks whose features are known. Work is counted in units of any one length.
struct MeasuredRun {
  Policy policy = Policy::kUberkernel;
  WorkFeatures work{};
  double seconds = 0;
};

struct CostFit {
  DeviceCosts costs;
  double unit_seconds = 0;  // Of the unit in which the runs' work was counted.
};

// The costs, none below 0, with the smallest sum of squared relative errors, of which those that
// are larger than usual count less; DeviceCosts::residual is their mean absolute one. A unit of
// work is made a second of kUberkernel's. What no run tells of is 0. `costs` has the device's
// workers, and its link stays. Throws kInvalidArgument where a policy has no run, or a run no time.
CostFit fit_costs(const std::vector<MeasuredRun>& runs, const DeviceCosts& costs);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_POLICY_FIT_H_

// SPDX-License-Identifier: Apache-2.0

// Fits the costs of policies (policy_model.h) to measured runs.
#ifndef MILLRACE_RUNTIME_AUTO_COST_FIT_H_
#define MILLRACE_RUNTIME_AUTO_COST_FIT_H_

#include <millrace/runtime/auto/policy_model.h>

#include <vector>

namespace millrace {

// A run of tasks whose features are known. Work is counted in units of any length, which must be
// the same for all runs.
struct MeasuredRun {
  Policy policy = Policy::kUberkernel;
  WorkFeatures work{};
  double seconds = 0;
};

struct CostFit {
  DeviceCosts costs;
  double unit_seconds = 0;  // Seconds of the unit in which the runs' work was counted.
};

// Returns the non-negative costs with the smallest sum of squared relative errors, of which
// unusually large ones have less weight. DeviceCosts::residual is the mean absolute relative error.
// Work is scaled so that a unit is a second under kUberkernel. Costs that no run depends on are 0.
// `costs` gives the device's workers and its link. Throws kInvalidArgument if a policy has no run
// or the time of a run is not positive.
CostFit fit_costs(const std::vector<MeasuredRun>& runs, const DeviceCosts& costs);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_COST_FIT_H_

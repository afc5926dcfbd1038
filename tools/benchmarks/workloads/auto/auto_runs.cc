// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/run_history.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr double kSecondsBefore = 1e-3;

// Returns the fixed policy with the shortest of kRuns runs.
Policy fastest(const AutoCase& work) {
  constexpr int kRuns = 4;
  Policy best = Policy::kAuto;
  double least = std::numeric_limits<double>::infinity();
  for (const Policy policy : kConcretePolicies) {
    for (int i = 0; i < kRuns; ++i) {
      const double seconds = work(policy).seconds;
      if (seconds >= least) continue;
      least = seconds;
      best = policy;
    }
  }
  return best;
}

// Returns the time of a run under `policy` behind a millisecond of runs under `before`.
double timed_run(const AutoCase& work, Policy policy, Policy before) {
  double passed = 0;
  while (passed < kSecondsBefore) passed += work(before).seconds;
  return work(policy).seconds;
}

// Returns the median time of first runs under kAuto. Each comes behind runs under the best policy,
// so that its ratio to that policy's time shows the choice and not how long the device was idle.
double first_run_seconds(const AutoCase& work, int runs) {
  const Policy best = fastest(work);
  std::vector<double> seconds(static_cast<std::size_t>(runs));
  for (double& first : seconds) {
    RunHistory::instance().forget();
    first = timed_run(work, Policy::kAuto, best);
  }
  const auto middle = seconds.begin() + runs / 2;
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

RunAmount settle(const AutoCase& work, const AutoRunCounts& counts) {
  RunAmount amount;
  amount.values[kFirstRunSeconds] = first_run_seconds(work, counts.first);
  RunHistory::instance().forget();
  AutoRun run;
  for (int i = 0; i < counts.settling; ++i) {
    run = work(Policy::kAuto);
    ++amount.values[std::string(kRunsUnder) + to_string(run.policy)];
  }
  amount.items = run.items;
  if (run.switches > 0) amount.values[kSwitches] = static_cast<double>(run.switches);
  return amount;
}

}  // namespace

PreparedWork auto_runs(const AutoCase& work, AutoRunCounts counts) {
  PreparedWork prepared;
  for (const Policy policy : kConcretePolicies) {
    prepared.runs.push_back({.policy = to_string(policy),
                             .check = [=] { return RunAmount{work(policy).items}; },
                             .run = [=] { return timed_run(work, policy, policy); }});
  }
  prepared.runs.push_back({.policy = to_string(Policy::kAuto),
                           .check = [=] { return settle(work, counts); },
                           .run = [=] { return timed_run(work, Policy::kAuto, Policy::kAuto); }});
  const auto best = std::make_shared<Policy>(kConcretePolicies[0]);
  prepared.runs.push_back({.strategy = kBestAgain,
                           .check =
                               [=] {
                                 *best = fastest(work);
                                 return RunAmount{work(*best).items};
                               },
                           .run = [=] { return timed_run(work, *best, *best); }});
  return prepared;
}

}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/run_history.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>

#include <limits>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

constexpr double kSecondsBefore = 1e-3;

RunAmount settle(const AutoCase& work, int settling_runs) {
  RunHistory::instance().forget();
  RunAmount amount;
  AutoRun run;
  for (int i = 0; i < settling_runs; ++i) {
    run = work(Policy::kAuto);
    if (i == 0) amount.values[kFirstRunSeconds] = run.seconds;
    ++amount.values[std::string(kRunsUnder) + to_string(run.policy)];
  }
  amount.items = run.items;
  if (run.switches > 0) amount.values[kSwitches] = static_cast<double>(run.switches);
  return amount;
}

// Returns the fixed policy with the shortest of a few runs.
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

double timed_run(const AutoCase& work, Policy policy) {
  double before = 0;
  while (before < kSecondsBefore) before += work(policy).seconds;
  return work(policy).seconds;
}

}  // namespace

PreparedWork auto_runs(const AutoCase& work, int settling_runs) {
  PreparedWork prepared;
  for (const Policy policy : kConcretePolicies) {
    prepared.runs.push_back({.policy = to_string(policy),
                             .check = [=] { return RunAmount{work(policy).items}; },
                             .run = [=] { return timed_run(work, policy); }});
  }
  prepared.runs.push_back({.policy = to_string(Policy::kAuto),
                           .check = [=] { return settle(work, settling_runs); },
                           .run = [=] { return timed_run(work, Policy::kAuto); }});
  const auto best = std::make_shared<Policy>(kConcretePolicies[0]);
  prepared.runs.push_back({.strategy = kBestAgain,
                           .check =
                               [=] {
                                 *best = fastest(work);
                                 return RunAmount{work(*best).items};
                               },
                           .run = [=] { return timed_run(work, *best); }});
  return prepared;
}

}  // namespace millrace::tools

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

// The times of a run and of the one before it.
struct TimedRun {
  double seconds;
  double seconds_before;
};

// Times a run under `policy` behind a millisecond of runs under `before`.
TimedRun timed_run(const AutoCase& work, Policy policy, Policy before) {
  double passed = 0;
  double last = 0;
  while (passed < kSecondsBefore) passed += last = work(before).seconds;
  return {work(policy).seconds, last};
}

// Returns the value in the middle, the greater of two.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Adds the median time of first runs under kAuto. Each comes behind runs under the best policy, so
// that its ratio to that policy's time shows the choice and not how long the device was idle.
void add_first_runs(const AutoCase& work, int runs, RunAmount& amount) {
  const Policy best = fastest(work);
  std::vector<double> first;
  std::vector<double> of_best;
  for (int i = 0; i < runs; ++i) {
    RunHistory::instance().forget();
    const TimedRun run = timed_run(work, Policy::kAuto, best);
    first.push_back(run.seconds);
    of_best.push_back(run.seconds_before);
  }
  amount.values[kFirstRunSeconds] = median(first);
  amount.values[kFirstRunOfBest] = median(first) / median(of_best);
}

RunAmount settle(const AutoCase& work, const AutoRunCounts& counts) {
  RunAmount amount;
  add_first_runs(work, counts.first, amount);
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
                             .run = [=] { return timed_run(work, policy, policy).seconds; }});
  }
  prepared.runs.push_back(
      {.policy = to_string(Policy::kAuto),
       .check = [=] { return settle(work, counts); },
       .run = [=] { return timed_run(work, Policy::kAuto, Policy::kAuto).seconds; }});
  const auto best = std::make_shared<Policy>(kConcretePolicies[0]);
  prepared.runs.push_back({.strategy = kBestAgain,
                           .check =
                               [=] {
                                 *best = fastest(work);
                                 return RunAmount{work(*best).items};
                               },
                           .run = [=] { return timed_run(work, *best, *best).seconds; }});
  return prepared;
}

}  // namespace millrace::tools

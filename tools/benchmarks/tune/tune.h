// SPDX-License-Identifier: Apache-2.0

// Measures what the policies cost on a device, for kAuto (runtime/auto/policy_model.h).
#ifndef MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_H_
#define MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_H_

#include <millrace/runtime/auto/cost_fit.h>
#include <millrace/runtime/core/device.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::tools {

struct TunedRun {
  std::string workload;
  MeasuredRun run;  // Its work as fit_costs makes it: in seconds.
  double predicted_seconds = 0;
};

struct TuneResult {
  DeviceCosts costs;
  std::vector<TunedRun> runs;
};

// Takes about `seconds`, and stores nothing. Throws kCancelled when a stop is requested, and what
// run_tasks throws.
TuneResult tune(const std::shared_ptr<Device>& device, double seconds, const std::stop_token& stop);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_H_

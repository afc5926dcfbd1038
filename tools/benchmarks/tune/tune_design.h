// SPDX-License-Identifier: Apache-2.0

// The design of tune: workloads chosen so that each cost of the model is most of the time of some.
#ifndef MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_DESIGN_H_
#define MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_DESIGN_H_

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

// A workload whose features are known; its item_seconds are units of tune_tasks.h.
struct TuneWorkload {
  std::string name;
  WorkFeatures work;

  // Runs it once. Throws kInternal unless as many tasks ran as the features say.
  std::function<void(const RunOptions&)> run;
};

// Returns the workloads for the queue's device, which has to outlive them. They are small for a
// simulated device, and larger for one that runs thousands of items at a time.
std::vector<TuneWorkload> tune_design(Queue& queue);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_DESIGN_H_

// SPDX-License-Identifier: Apache-2.0

// Runs shapes of the kinds that wait, on one device or on a group.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_WAITING_STRESS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_WAITING_STRESS_H_

#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/group/internal/shared_run.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>

#include <vector>

namespace millrace::tools {

struct WaitingStressResult {
  StressOutcome outcome;
  double seconds = 0;  // Time from the copies of the forest to those of the results.

  // A report for each device. After a stop it covers the last segment alone.
  std::vector<SharedDeviceReport> devices;
};

// Runs a shape of a kind that is_waiting(); kCounters on one device alone. A run that its deadline
// stops goes on with twice as long, until all has run. Throws what run_tasks() throws.
WaitingStressResult run_waiting_stress(const examples::ExampleDevices& on,
                                       const StressShape& shape);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_WAITING_STRESS_H_

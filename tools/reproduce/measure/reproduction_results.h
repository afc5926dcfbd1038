// SPDX-License-Identifier: Apache-2.0

// Measures what tables need, in the same way as `millrace bench`.
#ifndef MILLRACE_TOOLS_REPRODUCE_MEASURE_REPRODUCTION_RESULTS_H_
#define MILLRACE_TOOLS_REPRODUCE_MEASURE_REPRODUCTION_RESULTS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// The results of one device, which grow.
class ReproductionResults {
 public:
  ReproductionResults(std::shared_ptr<Device> device, MeasureOptions options);

  // Adds the measurements of these configurations, without those that are there already. Throws
  // kInternal with the reason where a result is wrong or a run fails, and kCancelled when
  // options.is_stopped() returns true.
  void measure(const std::vector<PlannedRuns>& planned);

  const Results& results() const { return results_; }

 private:
  void measure(const PlannedRuns& planned);

  const std::shared_ptr<Device> device_;
  const MeasureOptions options_;
  const std::vector<Workload> workloads_;
  const std::unique_ptr<DeviceProbe> probe_;
  Results results_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MEASURE_REPRODUCTION_RESULTS_H_

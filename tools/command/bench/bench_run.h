// SPDX-License-Identifier: Apache-2.0

// Execution of the plan of `millrace bench`.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RUN_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RUN_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/command/bench/bench_results.h>
#include <millrace/tools/report/results/results.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

class BenchRun {
 public:
  // Signature of measure_device_limits().
  using MeasureLimits =
      std::function<std::vector<LimitRecord>(const std::shared_ptr<Device>& device, double seconds,
                                             const std::function<bool()>& is_stopped)>;

  // `results` must outlive this object. With no `measure_limits` there are none.
  BenchRun(std::vector<Configuration> plan, RunSelection choice, MeasureOptions options,
           BenchResults& results, MeasureLimits measure_limits);

  // Measures the configurations that `results` does not have, device by device, and prints them. If
  // a device's limits cannot be measured, writes that to standard error and continues without them.
  // A group has no limits.
  // Throws kCancelled when it is interrupted, and what BenchResults throws.
  void run();

  std::size_t done() const { return done_; }
  std::size_t count() const { return plan_.size(); }

 private:
  void measure(const Configuration& configuration);
  void use(const DeviceSet& devices);
  std::vector<LimitRecord> measured_limits(const DeviceSet& devices) const;

  const std::vector<Configuration> plan_;
  const RunSelection choice_;
  const MeasureOptions options_;
  BenchResults& results_;
  const MeasureLimits measure_limits_;
  std::size_t done_ = 0;

  std::string device_;  // Name of the current device or group, and its probe and limits.
  std::unique_ptr<DeviceProbe> probe_;
  std::vector<LimitRecord> limits_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RUN_H_

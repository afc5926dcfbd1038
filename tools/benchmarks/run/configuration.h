// SPDX-License-Identifier: Apache-2.0

// The unit of measuring: one workload of one input and size on a device, and the choice among its
// runs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_
#define MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

// Runs of the same work, whose timings are interleaved.
struct Configuration {
  const Workload* workload = nullptr;
  std::shared_ptr<Device> device;
  std::string input;       // A name, or a path.
  std::uint64_t size = 0;  // 0: the size of the file.

  std::string input_name() const;  // The last part of a path.

  // Returns true if the measurement is of this configuration.
  bool has(const Measurement& measurement) const;
};

// The chosen policies and strategies. Runs without a policy or a strategy are always chosen.
struct RunChoice {
  std::vector<std::string> policies;  // Empty: all, and so below.
  std::vector<std::string> strategies;

  bool has(const WorkRun& run) const;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_

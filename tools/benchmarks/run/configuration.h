// SPDX-License-Identifier: Apache-2.0

// The unit of measuring: one workload of one input and size on a device, a group or the ranks, and
// the choice among its runs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_
#define MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_

#include <millrace/tools/benchmarks/run/device_set.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/report/results/results.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// Runs of the same work, whose timings are interleaved.
struct Configuration {
  const Workload* workload = nullptr;
  DeviceSet devices;
  std::string input;                 // A name, or a path.
  std::uint64_t size = 0;            // 0: the size of the file.
  const RankWorld* ranks = nullptr;  // Null unless all ranks measure together.

  std::string input_name() const;  // The last name of a path.

  // Prepares the workload for one device, a group or the ranks. Throws what it throws, and
  // kUnsupported with what it needs where it cannot run on one device.
  PreparedWork prepare() const;

  // Returns true if the measurement is of this configuration.
  bool has(const Measurement& measurement) const;
};

// The chosen policies and strategies. Runs without a policy or a strategy are always chosen.
struct RunSelection {
  std::vector<std::string> policies;  // Empty: all, and so below.
  std::vector<std::string> strategies;

  bool has(const WorkRun& run) const;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_RUN_CONFIGURATION_H_

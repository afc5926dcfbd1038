// SPDX-License-Identifier: Apache-2.0

// The configurations that a run of `millrace bench` measures, in order.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/command/bench/bench_devices.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

// Runs of the same work, whose timings are interleaved.
struct BenchConfiguration {
  const Workload* workload = nullptr;
  BenchDevices devices;
  std::string input;                 // A name, or a path.
  std::uint64_t size = 0;            // 0: the size of the file.
  const RankWorld* ranks = nullptr;  // Null unless all ranks measure together.

  std::string input_name() const;  // The last part of a path.

  // Prepares the workload for one device, a group or the ranks. Throws what it throws, and
  // kUnsupported with what it needs where it cannot run on one device.
  PreparedWork prepare() const;

  // Returns true if the measurement is of this configuration.
  bool has(const Measurement& measurement) const;
};

// The chosen policies and strategies. Runs without a policy or a strategy are always chosen.
struct RunChoice {
  std::vector<std::string> policies;  // Empty: all, and so below.
  std::vector<std::string> strategies;

  bool has(const WorkRun& run) const;
};

// Returns the configurations device by device, and for each the workloads in their order; for a
// group of devices those that take groups. `workloads` are the chosen ones, and must outlive the
// result. Throws kInvalidArgument for a strategy or an input that none of them has, with the list
// of those that exist, for a size that one of them cannot have, and for a group that none takes.
std::vector<BenchConfiguration> plan_bench(const BenchOptions& options,
                                           const std::vector<Workload>& workloads,
                                           const std::vector<BenchDevices>& devices);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

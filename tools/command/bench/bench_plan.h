// SPDX-License-Identifier: Apache-2.0

// The configurations that a run of `millrace bench` measures, in order.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

// All that does the same work, timed in turns.
struct BenchConfiguration {
  const Workload* workload = nullptr;
  std::shared_ptr<Device> device;
  std::string input;       // A name, or a path.
  std::uint64_t size = 0;  // 0: that of the file.

  std::string input_name() const;  // The last part of a path.

  // Returns true if the measurement is of this configuration.
  bool has(const Measurement& measurement) const;
};

// Which ways of doing the work are run. Those that have no policy, or no strategy, are always.
struct RunChoice {
  std::vector<std::string> policies;  // Empty: all, and so below.
  std::vector<std::string> strategies;

  bool has(const WorkRun& run) const;
};

// Device by device, and on each the workloads in their order. `workloads` must outlive it, and have
// been chosen. Throws kInvalidArgument with what there is for a strategy or an input that none of
// them has, and for a size that one of them cannot have.
std::vector<BenchConfiguration> plan_bench(const BenchOptions& options,
                                           const std::vector<Workload>& workloads,
                                           const std::vector<std::shared_ptr<Device>>& devices);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

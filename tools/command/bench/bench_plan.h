// SPDX-License-Identifier: Apache-2.0

// The configurations that a run of `millrace bench` measures, in order.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

#include <millrace/tools/benchmarks/run/configuration.h>
#include <millrace/tools/benchmarks/run/device_set.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/command/bench/bench_options.h>

#include <vector>

namespace millrace::tools {

// Returns the configurations device by device, and for each the workloads in their order; for a
// group of devices those that take groups. `workloads` are the chosen ones, and must outlive the
// result. Throws kInvalidArgument for a strategy or an input that none of them has, with the list
// of those that exist, for a size that one of them cannot have, and for a group that none takes.
std::vector<Configuration> plan_bench(const BenchOptions& options,
                                      const std::vector<Workload>& workloads,
                                      const std::vector<DeviceSet>& devices);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_PLAN_H_

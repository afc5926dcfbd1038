// SPDX-License-Identifier: Apache-2.0

// Task Bench's measure of what a task costs, beside other libraries' graphs of tasks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_TASK_BENCH_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_TASK_BENCH_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// "joins-metg": METG(50 %) of each pattern (graph/metg.h). A run sweeps all sizes of
// tasks, and its time is the METG. A size is a number of steps. A step is as wide as the device has
// cores, at least 2. Peers are graphs of other libraries on a CPU, kernels on a GPU.
std::vector<Workload> task_bench_workloads();

// Returns the number of tasks that the device is to run at a time, by which the time of a task is
// counted: a CPU's cores, and the warps that keep a GPU busy.
std::uint32_t task_bench_cores(const DeviceInfo& device);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_TASK_BENCH_WORKLOAD_H_

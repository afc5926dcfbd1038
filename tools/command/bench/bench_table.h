// SPDX-License-Identifier: Apache-2.0

// Output of `millrace bench` while it runs.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TABLE_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TABLE_H_

#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/report/results/results.h>

#include <cstddef>
#include <vector>

namespace millrace::tools {

// Prints the limits of a device, and the head of the table of what is measured there.
void print_limits(const std::vector<LimitRecord>& limits);

// Prints the measurements of configuration number `position` of `count`, with a heading.
void print_measurements(const std::vector<Measurement>& measurements, std::size_t position,
                        std::size_t count);

// Prints the list of --list.
void print_workloads(const std::vector<Workload>& workloads);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TABLE_H_

// SPDX-License-Identifier: Apache-2.0

// Workloads that an algorithm's own folder adds to `millrace bench` when it is linked.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_REGISTERED_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_REGISTERED_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// One object of static storage adds what `make` returns to all_workloads().
struct RegisterWorkloads {
  explicit RegisterWorkloads(std::vector<Workload> (*make)());
};

// The workloads of all registrations, ordered by name.
std::vector<Workload> registered_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_REGISTERED_WORKLOADS_H_

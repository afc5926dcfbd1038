// SPDX-License-Identifier: Apache-2.0

// Copies within a device's memory and over its link, one way at a time.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_COPY_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_COPY_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// micro-copy, micro-upload and micro-download. A size is a number of bytes.
std::vector<Workload> copy_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_COPY_WORKLOADS_H_

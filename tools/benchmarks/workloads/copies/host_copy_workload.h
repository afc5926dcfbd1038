// SPDX-License-Identifier: Apache-2.0

// Copies between memories of the host.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_HOST_COPY_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_HOST_COPY_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// micro-host-copy, beside the peer "memcpy". A size is a number of bytes.
std::vector<Workload> host_copy_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_HOST_COPY_WORKLOAD_H_

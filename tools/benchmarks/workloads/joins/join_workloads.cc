// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/joins/cholesky_workload.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/merge_sort_workload.h>

namespace millrace::tools {

std::vector<Workload> join_workloads() {
  return {fibonacci_workload(), n_queens_workload(), uts_workload(),
          wavefront_workload(), cholesky_workload(), merge_sort_workload()};
}

}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0

// All workloads, and the choice of some of them by name.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ALL_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ALL_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <string>
#include <vector>

namespace millrace::tools {

std::vector<Workload> all_workloads();

// The workloads among `workloads` that `words` name, in their order: each is a name or, if it is
// none, the beginning of names up to a '-'; no words choose all. Throws kInvalidArgument with the
// names there are for a word that is none.
std::vector<Workload> choose_workloads(const std::vector<Workload>& workloads,
                                       const std::vector<std::string>& words);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ALL_WORKLOADS_H_

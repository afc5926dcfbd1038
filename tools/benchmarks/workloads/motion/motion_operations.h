// SPDX-License-Identifier: Apache-2.0

// Operations of a full search, as workloads declare them.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_OPERATIONS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_OPERATIONS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

namespace millrace::tools {

// Returns the additions, subtractions, absolute values and shifts of one macroblock's search: SADs
// of its 16 4x4 blocks at each whole position and their sums for the other partitions, and SATDs of
// all partitions at nine positions for each step to half and quarter samples. Interpolation and
// costs of vectors are not counted.
double motion_operations(const motion::SearchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_OPERATIONS_H_

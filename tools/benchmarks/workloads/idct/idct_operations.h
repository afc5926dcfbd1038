// SPDX-License-Identifier: Apache-2.0

// Operations of the inverse transforms, as workloads declare them.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_OPERATIONS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_OPERATIONS_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <span>

namespace millrace::tools {

// Returns the additions, subtractions and shifts of 16 bits of one macroblock's transforms and of
// the rounding of its residual.
double idct_operations(idct::TransformSize size);

// Returns those of all macroblocks of a queue.
double idct_operations(std::span<const idct::TransformSize> sizes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_OPERATIONS_H_

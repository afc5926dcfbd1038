// SPDX-License-Identifier: Apache-2.0

// Arithmetic by a CPU's widest vectors, on the calling thread.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_SIMD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_SIMD_H_

#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_kind.h>

#include <cstdint>

namespace millrace::tools {

// Returns the number of lanes of the vectors that calculate().
int arithmetic_lanes(ArithmeticKind kind);

// Iterates over kArithmeticValues vectors. Returns a number that depends on all of them, so that no
// compiler leaves the work out.
double calculate(ArithmeticKind kind, std::uint32_t iterations);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_SIMD_H_

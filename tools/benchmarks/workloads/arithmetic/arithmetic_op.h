// SPDX-License-Identifier: Apache-2.0

// Arithmetic by all threads that a GPU holds.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_OP_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_OP_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_kind.h>

#include <cstdint>

namespace millrace::tools {

struct ArithmeticRun {
  double operations = 0;
  double seconds = 0;
};

// Iterates over kArithmeticValues numbers of each thread, and adds one that depends on all of them
// to *sum, which is in the device's memory. Waits for the queue.
struct ArithmeticOp {
  using Function = ArithmeticRun(Queue&, ArithmeticKind, std::uint32_t iterations,
                                 std::uint32_t* sum);
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_OP_H_

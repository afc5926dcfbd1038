// SPDX-License-Identifier: Apache-2.0

// Kinds of arithmetic whose rate a device's limits have.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_KIND_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_KIND_H_

namespace millrace::tools {

enum class ArithmeticKind {
  kAdditions,     // Integers of 16 bits: as many as fit a CPU's vectors, one a GPU's register.
  kMultiplyAdds,  // Doubles, two operations each.
};

// Numbers that a lane of a vector or a GPU's thread works on in turns, so that none waits for the
// result of the one before.
inline constexpr int kArithmeticValues = 8;

// Returns the operations of one lane in so many iterations over its values.
constexpr double arithmetic_operations(ArithmeticKind kind, double iterations) {
  const int each = kind == ArithmeticKind::kAdditions ? 1 : 2;
  return each * kArithmeticValues * iterations;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_KIND_H_

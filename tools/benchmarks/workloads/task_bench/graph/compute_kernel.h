// SPDX-License-Identifier: Apache-2.0

// Task Bench's kernel compute_bound: 64 fused or separate multiplications and additions of doubles
// an iteration, and the product of what they yield.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_COMPUTE_KERNEL_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_COMPUTE_KERNEL_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::tools {

inline constexpr int kComputeValues = 64;

// Operations of a task, as Task Bench counts them.
constexpr double compute_operations(std::uint32_t iterations) {
  return 2.0 * kComputeValues * iterations + kComputeValues;
}

// Iterates `kCount` of the values, a power of two. Returns their product, which is positive or
// infinite.
template <int kCount>
MILLRACE_FUNCTION double compute_values(std::uint32_t iterations) {
  double values[kCount];
  for (double& value : values) value = 1.2345;
  for (std::uint32_t i = 0; i < iterations; ++i) {
    for (double& value : values) value = value * value + value;
  }
  // In pairs, so that multiplications do not wait for each other.
  for (int half = kCount / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) values[i] *= values[i + half];
  }
  return values[0];
}

// The portion of one lane of those that cooperate. Widths of 1 and 32 keep their values in
// registers.
MILLRACE_FUNCTION inline double compute_lane(std::uint32_t iterations, int lane, int lanes) {
  if (lanes == 1) return compute_values<kComputeValues>(iterations);
  if (lanes == 32) return compute_values<kComputeValues / 32>(iterations);
  double product = 1;
  for (int i = lane; i < kComputeValues; i += lanes) product *= compute_values<1>(iterations);
  return product;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_COMPUTE_KERNEL_H_

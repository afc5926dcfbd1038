// SPDX-License-Identifier: Apache-2.0

// Words that a lane loads at once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUAD_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::tools {

// The widest load of a lane.
struct alignas(16) Quad {
  std::uint32_t words[4];
};

struct alignas(8) Pair {
  std::uint32_t words[2];
};

template <class Words>
MILLRACE_FUNCTION std::uint32_t sum_of(const Words& all) {
  std::uint32_t sum = 0;
  for (const std::uint32_t word : all.words) sum += word;
  return sum;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUAD_H_

// SPDX-License-Identifier: Apache-2.0

// The hash of a queue of macroblocks as an input.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_MACROBLOCK_HASH_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_MACROBLOCK_HASH_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>

#include <span>
#include <string>

namespace millrace::tools {

// Returns the text of the hash of sizes and coefficients, which are in host memory.
inline std::string macroblock_hash(const idct::MacroblockQueue& queue) {
  InputHash hash;
  hash.add(std::span(queue.sizes, queue.count));
  hash.add(std::span(queue.coefficients, queue.count * idct::kMacroblockSamples));
  return hash.text();
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_MACROBLOCK_HASH_H_

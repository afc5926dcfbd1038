// SPDX-License-Identifier: Apache-2.0

// Millions of macroblocks on a device, which are made and checked quickly.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_REPEATED_MACROBLOCKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_REPEATED_MACROBLOCKS_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace millrace::tools {

// Macroblocks of which `percent` in a hundred are of 8x8 blocks. Their coefficients repeat. Used by
// one thread at a time.
class RepeatedMacroblocks {
 public:
  RepeatedMacroblocks(std::shared_ptr<Queue> queue, std::size_t count, unsigned percent);

  // Transforms all. Compares the whole residual of the first run under each policy with the
  // reference's, of later ones the first and last macroblocks. Throws kInternal where it differs.
  AutoRun run(Policy policy);

 private:
  void make_coefficients();
  const std::vector<std::int16_t>& expected_of(idct::TransformSize size) const;
  void spoil(std::size_t first, std::size_t count);
  void check(std::size_t first, std::size_t count);

  const std::shared_ptr<Queue> queue_;
  const std::size_t count_;
  Buffer<idct::TransformSize> sizes_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::int16_t> residual_;
  std::vector<idct::TransformSize> host_sizes_;
  // The residual of the macroblocks that differ, by 4x4 and by 8x8.
  std::array<std::vector<std::int16_t>, 2> expected_;
  std::set<Policy> checked_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_REPEATED_MACROBLOCKS_H_

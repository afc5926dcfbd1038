// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_operations.h>

namespace millrace::tools {
namespace {

constexpr int kSamples = 256;
constexpr int kBlocks = 16;  // 4x4 blocks of a macroblock.
constexpr int kSizes = 7;    // Sizes of partitions, each of which covers the macroblock.

// A difference, its absolute value and a sum for each sample, and a sum for each larger partition.
constexpr double kWholePosition = 3 * kSamples + (motion::kPartitions - kBlocks);

// A 4x4 block has 16 differences, two passes of 32 sums, 16 absolute values and their sum, rounded
// by an addition and a shift.
constexpr double kSatdBlock = 16 + 2 * 32 + 16 + 16 + 2;
constexpr double kFinePosition = kSizes * kBlocks * kSatdBlock;
constexpr double kFinePositions = 9;

}  // namespace

double motion_operations(const motion::SearchOptions& options) {
  const double whole = 4.0 * options.range * options.range * kWholePosition;
  const int steps = options.precision == motion::Precision::kInteger ? 0
                    : options.precision == motion::Precision::kHalf  ? 1
                                                                     : 2;
  return whole + steps * kFinePositions * kFinePosition;
}

}  // namespace millrace::tools

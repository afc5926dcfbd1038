// SPDX-License-Identifier: Apache-2.0

// Partitions of an 8x8 block, a quarter of a macroblock, that are smaller than it.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_SUB_PARTITION_SHAPE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_SUB_PARTITION_SHAPE_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Positions and sizes are in 4x4 blocks. Sub-partitions are in the standard's order.
struct SubPartitionShape {
  SubPartition partition_type;
  int width, height, count;
  int bits;   // Number of bits of sub_mb_type.
  int first;  // First partition of this size in a search's order (partition.h).

  // Returns the position of sub-partition `index` in the quarter.
  MILLRACE_FUNCTION constexpr int x(int index) const { return width == 2 ? 0 : index % 2; }
  MILLRACE_FUNCTION constexpr int y(int index) const { return width == 2 ? index : index / 2; }

  // Returns the partition in a search's order that is sub-partition `index` of a quarter.
  MILLRACE_FUNCTION constexpr int partition(int quarter, int index) const {
    // Sizes are 1 or 2. GPUs have no instruction that divides.
    const int at_x = (2 * (quarter % 2) + x(index)) >> (width - 1);
    const int at_y = (quarter / 2 * 2 + y(index)) >> (height - 1);
    return first + (4 >> (width - 1)) * at_y + at_x;
  }
};

inline constexpr int kSubPartitionShapes = 3;

MILLRACE_FUNCTION constexpr SubPartitionShape sub_partition_shape(int index) {
  using motion::PartitionSize;
  return index == 0   ? SubPartitionShape{SubPartition::k8x4,
                                        2,
                                        1,
                                        2,
                                        3,
                                        first_partition(PartitionSize::k8x4)}
         : index == 1 ? SubPartitionShape{SubPartition::k4x8,
                                          1,
                                          2,
                                          2,
                                          3,
                                          first_partition(PartitionSize::k4x8)}
                      : SubPartitionShape{
                            SubPartition::k4x4, 1, 1, 4, 5, first_partition(PartitionSize::k4x4)};
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_SUB_PARTITION_SHAPE_H_

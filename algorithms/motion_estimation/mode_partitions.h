// SPDX-License-Identifier: Apache-2.0

// The partitions, of the 41, that a macroblock's mode consists of.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_PARTITIONS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_PARTITIONS_H_

#include <millrace/algorithms/motion_estimation/macroblock_mode.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <initializer_list>

namespace millrace::motion {

// Partitions in the order in which the standard codes them.
struct ModePartitions {
  int partitions[16] = {};
  int count = 0;

  constexpr const int* begin() const { return partitions; }
  constexpr const int* end() const { return partitions + count; }

  constexpr void add(int partition) { partitions[count++] = partition; }
};

// Returns the partitions of quarter 0 to 3, in raster order.
constexpr ModePartitions partitions_of(QuarterShape shape, int quarter) {
  const int x = quarter % 2;
  const int y = quarter / 2;
  ModePartitions partitions;
  switch (shape) {
    case QuarterShape::k8x8: partitions.add(first_partition(PartitionSize::k8x8) + quarter); break;
    case QuarterShape::k8x4:
      for (const int i : {0, 2}) {
        partitions.add(first_partition(PartitionSize::k8x4) + 4 * y + x + i);
      }
      break;
    case QuarterShape::k4x8:
      for (const int i : {0, 1}) {
        partitions.add(first_partition(PartitionSize::k4x8) + 4 * y + 2 * x + i);
      }
      break;
    case QuarterShape::k4x4:
      for (const int i : {0, 1, 4, 5}) {
        partitions.add(first_partition(PartitionSize::k4x4) + 8 * y + 2 * x + i);
      }
      break;
  }
  return partitions;
}

// Returns the partitions of a mode. For kSkip that is the 16x16 one, whose vector in a field is not
// that of P_Skip.
constexpr ModePartitions partitions_of(const MacroblockMode& mode) {
  ModePartitions partitions;
  switch (mode.shape) {
    case MacroblockShape::k16x16:
    case MacroblockShape::kSkip: partitions.add(first_partition(PartitionSize::k16x16)); break;
    case MacroblockShape::k16x8:
      for (const int i : {0, 1}) partitions.add(first_partition(PartitionSize::k16x8) + i);
      break;
    case MacroblockShape::k8x16:
      for (const int i : {0, 1}) partitions.add(first_partition(PartitionSize::k8x16) + i);
      break;
    case MacroblockShape::k8x8:
      for (int quarter = 0; quarter < 4; ++quarter) {
        for (const int partition : partitions_of(mode.quarters[quarter], quarter)) {
          partitions.add(partition);
        }
      }
      break;
  }
  return partitions;
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_PARTITIONS_H_

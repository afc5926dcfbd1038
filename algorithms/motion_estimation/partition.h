// SPDX-License-Identifier: Apache-2.0

// The 41 partitions of a macroblock that each have a vector of their own (ITU-T H.264, tables 7-13
// and 7-17), in the order that all arrays of this folder have them in:
//
//   0        16x16
//   1, 2     16x8    upper, lower
//   3, 4     8x16    left, right
//   5..8     8x8     in raster order, as all that follow
//   9..16    8x4
//   17..24   4x8
//   25..40   4x4
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PARTITION_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PARTITION_H_

#include <millrace/algorithms/picture/basic_plane.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::motion {

using picture::kMacroblockWidth;

enum class PartitionSize : std::uint8_t { k16x16, k16x8, k8x16, k8x8, k8x4, k4x8, k4x4 };

inline constexpr int kPartitionSizes = 7;
inline constexpr int kPartitions = 41;

// Position and size in samples, from the macroblock's top left corner.
struct Partition {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

MILLRACE_FUNCTION constexpr int partition_width(PartitionSize size) {
  switch (size) {
    case PartitionSize::k16x16:
    case PartitionSize::k16x8: return 16;
    case PartitionSize::k4x8:
    case PartitionSize::k4x4: return 4;
    default: return 8;
  }
}

MILLRACE_FUNCTION constexpr int partition_height(PartitionSize size) {
  switch (size) {
    case PartitionSize::k16x16:
    case PartitionSize::k8x16: return 16;
    case PartitionSize::k8x4:
    case PartitionSize::k4x4: return 4;
    default: return 8;
  }
}

// Returns the number of partitions of a size in a macroblock.
MILLRACE_FUNCTION constexpr int partition_count(PartitionSize size) {
  return kMacroblockWidth * kMacroblockWidth / (partition_width(size) * partition_height(size));
}

// Returns the first partition of a size in the order above.
MILLRACE_FUNCTION constexpr int first_partition(PartitionSize size) {
  int first = 0;
  for (int smaller = 0; smaller < static_cast<int>(size); ++smaller) {
    first += partition_count(static_cast<PartitionSize>(smaller));
  }
  return first;
}

MILLRACE_FUNCTION constexpr PartitionSize partition_size(int partition) {
  int size = kPartitionSizes - 1;
  while (partition < first_partition(static_cast<PartitionSize>(size))) --size;
  return static_cast<PartitionSize>(size);
}

MILLRACE_FUNCTION constexpr Partition partition_at(int partition) {
  const PartitionSize size = partition_size(partition);
  const int width = partition_width(size);
  const int height = partition_height(size);
  const int index = partition - first_partition(size);
  const int per_row = kMacroblockWidth / width;
  return {index % per_row * width, index / per_row * height, width, height};
}

static_assert(first_partition(PartitionSize::k4x4) + partition_count(PartitionSize::k4x4) ==
              kPartitions);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PARTITION_H_

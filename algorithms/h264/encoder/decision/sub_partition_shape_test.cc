// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/decision/sub_partition_shape.h>

#include <gtest/gtest.h>

namespace millrace::h264 {
namespace {

TEST(SubPartitionShape, SubPartitionsArePartitionsOfASearchAtTheirPosition) {
  for (int i = 0; i < kSubPartitionShapes; ++i) {
    const SubPartitionShape shape = sub_partition_shape(i);
    EXPECT_EQ(shape.width * shape.height * shape.count, 4);
    for (int quarter = 0; quarter < 4; ++quarter) {
      for (int index = 0; index < shape.count; ++index) {
        const motion::Partition found = motion::partition_at(shape.partition(quarter, index));
        EXPECT_EQ(found.width, 4 * shape.width) << i << quarter << index;
        EXPECT_EQ(found.height, 4 * shape.height) << i << quarter << index;
        EXPECT_EQ(found.x, 8 * (quarter % 2) + 4 * shape.x(index)) << i << quarter << index;
        EXPECT_EQ(found.y, quarter / 2 * 8 + 4 * shape.y(index)) << i << quarter << index;
      }
    }
  }
}

// Table 7-17 of the standard: codes of sub_mb_type are unsigned Exp-Golomb codes (9.1).
TEST(SubPartitionShape, BitsAreThoseOfTheirCode) {
  EXPECT_EQ(sub_partition_shape(0).partition_type, SubPartition::k8x4);
  EXPECT_EQ(sub_partition_shape(0).bits, 3);
  EXPECT_EQ(sub_partition_shape(1).partition_type, SubPartition::k4x8);
  EXPECT_EQ(sub_partition_shape(1).bits, 3);
  EXPECT_EQ(sub_partition_shape(2).partition_type, SubPartition::k4x4);
  EXPECT_EQ(sub_partition_shape(2).bits, 5);
}

}  // namespace
}  // namespace millrace::h264

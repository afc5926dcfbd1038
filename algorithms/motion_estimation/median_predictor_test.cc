// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/median_predictor.h>

#include <gtest/gtest.h>

namespace millrace::motion {
namespace {

constexpr int k16x16 = first_partition(PartitionSize::k16x16);
constexpr int k16x8 = first_partition(PartitionSize::k16x8);
constexpr int k8x16 = first_partition(PartitionSize::k8x16);
constexpr int k8x8 = first_partition(PartitionSize::k8x8);
constexpr int k8x4 = first_partition(PartitionSize::k8x4);
constexpr int k4x8 = first_partition(PartitionSize::k4x8);
constexpr int k4x4 = first_partition(PartitionSize::k4x4);

constexpr BlockMotion kNone{};

BlockMotion moved(int x, int y, int reference = 0) {
  return {{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)}, reference};
}

TEST(MedianPredictor, IsTheMedianOfEachComponent) {
  const PartitionNeighbours neighbours{moved(1, 9), moved(-5, 4), moved(7, -3)};
  EXPECT_EQ(median_predictor(k16x16, neighbours), (MotionVector{1, 4}));
  EXPECT_EQ(median_predictor(k8x8 + 3, neighbours), (MotionVector{1, 4}));
}

TEST(MedianPredictor, IsZeroWhereNothingIsAvailable) {
  EXPECT_EQ(median_predictor(k16x16, {}), (MotionVector{0, 0}));
}

TEST(MedianPredictor, IsTheLeftNeighbourInTheFirstRow) {
  EXPECT_EQ(median_predictor(k4x4, {moved(3, -2), kNone, kNone}), (MotionVector{3, -2}));
  EXPECT_EQ(median_predictor(k4x4, {moved(3, -2, 1), kNone, kNone}), (MotionVector{3, -2}));
}

TEST(MedianPredictor, IsTheOnlyNeighbourWithTheSameReference) {
  const PartitionNeighbours neighbours{moved(1, 1), moved(2, 2, 1), moved(3, 3, 2)};
  EXPECT_EQ(median_predictor(k16x16, neighbours, 0), (MotionVector{1, 1}));
  EXPECT_EQ(median_predictor(k16x16, neighbours, 1), (MotionVector{2, 2}));
  EXPECT_EQ(median_predictor(k16x16, neighbours, 2), (MotionVector{3, 3}));
  EXPECT_EQ(median_predictor(k16x16, neighbours, 3), (MotionVector{2, 2}));  // None: the median.
}

TEST(MedianPredictor, TakesZeroForANeighbourThatIsNotAvailable) {
  EXPECT_EQ(median_predictor(k16x16, {moved(8, -8), moved(4, -4), kNone}), (MotionVector{4, -4}));
  EXPECT_EQ(median_predictor(k16x16, {moved(-8, 8), moved(4, -4), kNone}), (MotionVector{0, 0}));
}

TEST(MedianPredictor, OfHalvesPrefersTheNeighbourAtTheirSide) {
  const PartitionNeighbours neighbours{moved(1, 10), moved(2, 20), moved(3, 30)};
  EXPECT_EQ(median_predictor(k16x8, neighbours), (MotionVector{2, 20}));      // B
  EXPECT_EQ(median_predictor(k16x8 + 1, neighbours), (MotionVector{1, 10}));  // A
  EXPECT_EQ(median_predictor(k8x16, neighbours), (MotionVector{1, 10}));      // A
  EXPECT_EQ(median_predictor(k8x16 + 1, neighbours), (MotionVector{3, 30}));  // C
}

TEST(MedianPredictor, OfHalvesIsTheMedianWhereThatNeighbourRefersElsewhere) {
  const PartitionNeighbours neighbours{moved(1, 10), moved(2, 20, 1), moved(3, 30)};
  EXPECT_EQ(median_predictor(k16x8, neighbours), (MotionVector{2, 20}));
  EXPECT_EQ(median_predictor(k16x8, {moved(9, 9), kNone, kNone}), (MotionVector{9, 9}));
}

TEST(MedianSkipVector, IsZeroAtTheBordersAndBesideStillBlocks) {
  const BlockMotion moving = moved(4, 4);
  const MotionVector zero{};
  EXPECT_EQ(median_skip_vector({kNone, moving, moving}), zero);
  EXPECT_EQ(median_skip_vector({moving, kNone, moving}), zero);
  EXPECT_EQ(median_skip_vector({moved(0, 0), moving, moving}), zero);
  EXPECT_EQ(median_skip_vector({moving, moved(0, 0), moving}), zero);
  EXPECT_EQ(median_skip_vector({moving, moving, moved(0, 0)}), moving.vector);
  EXPECT_EQ(median_skip_vector({moved(0, 0, 1), moving, moving}), moving.vector);
}

// A neighbour A or B is still if its vector is zero in both components and refers to the nearest
// picture.
TEST(MedianSkipVector, IsElseThePredictorOfTheWholeMacroblockInTheNearestPicture) {
  EXPECT_EQ(median_skip_vector({moved(0, 6), moved(2, 0), moved(-4, 3)}), (MotionVector{0, 3}));
  EXPECT_EQ(median_skip_vector({moved(0, 6), moved(2, 0), kNone}), (MotionVector{0, 0}));
  EXPECT_EQ(median_skip_vector({moved(1, 6), moved(2, 5), kNone}), (MotionVector{1, 5}));
  EXPECT_EQ(median_skip_vector({moved(9, 9, 1), moved(2, 5), moved(7, 7, 2)}),
            (MotionVector{2, 5}));
  EXPECT_EQ(median_skip_vector({moved(9, 9, 1), moved(2, 5, 1), moved(7, 7)}),
            (MotionVector{7, 7}));
  EXPECT_EQ(median_skip_vector({moved(9, 9, 1), moved(2, 5, 1), moved(7, 7, 1)}),
            (MotionVector{7, 7}));  // The median.
}

// A picture of 3x2 macroblocks. Each macroblock (x, y) before the middle one of the lower row has
// the vector (10 x, 10 y + 1).
class MotionGridTest : public testing::Test {
 protected:
  MotionGridTest() {
    for (int x = 0; x < 3; ++x) grid.set(x, 0, partition_at(0), whole(x, 0));
    grid.set(0, 1, partition_at(0), whole(0, 1));
  }

  static BlockMotion whole(int x, int y) { return moved(10 * x, 10 * y + 1); }

  void expect(int partition, const BlockMotion& a, const BlockMotion& b, const BlockMotion& c) {
    const PartitionNeighbours found = grid.neighbours(1, 1, partition_at(partition));
    EXPECT_EQ(found.a, a) << partition;
    EXPECT_EQ(found.b, b) << partition;
    EXPECT_EQ(found.c, c) << partition;
  }

  void set(int partition, const BlockMotion& motion) {
    grid.set(1, 1, partition_at(partition), motion);
  }

  MotionGrid grid{3, 2};
  const BlockMotion left = whole(0, 1);
  const BlockMotion above_left = whole(0, 0);
  const BlockMotion above = whole(1, 0);
  const BlockMotion above_right = whole(2, 0);
};

TEST_F(MotionGridTest, WholeMacroblocksHaveThoseAround) {
  expect(k16x16, left, above, above_right);
}

TEST_F(MotionGridTest, HasNothingOutsideThePicture) {
  const PartitionNeighbours first = MotionGrid(3, 2).neighbours(0, 0, partition_at(0));
  EXPECT_EQ(first.a, kNone);
  EXPECT_EQ(first.b, kNone);
  EXPECT_EQ(first.c, kNone);
  // The macroblock at the right end of a row uses D instead of C.
  const PartitionNeighbours last = grid.neighbours(2, 1, partition_at(0));
  EXPECT_EQ(last.b, above_right);
  EXPECT_EQ(last.c, above);
}

TEST_F(MotionGridTest, HalvesHaveEachOther) {
  expect(k16x8, left, above, above_right);
  set(k16x8, moved(5, 5));
  expect(k16x8 + 1, left, moved(5, 5), left);  // Right of it is not coded yet: D.
  grid.clear(1, 1, partition_at(0));
  expect(k8x16, left, above, above);  // C is above the other half.
  set(k8x16, moved(6, 6));
  expect(k8x16 + 1, moved(6, 6), above, above_right);
}

TEST_F(MotionGridTest, QuartersHaveThoseBeforeThem) {
  expect(k8x8, left, above, above);
  set(k8x8, moved(5, 1));
  expect(k8x8 + 1, moved(5, 1), above, above_right);
  set(k8x8 + 1, moved(5, 2));
  expect(k8x8 + 2, left, moved(5, 1), moved(5, 2));
  set(k8x8 + 2, moved(5, 3));
  expect(k8x8 + 3, moved(5, 3), moved(5, 2), moved(5, 1));  // D
}

TEST_F(MotionGridTest, PartitionsOfAQuarterDoNotSeeTheNextOne) {
  set(k8x4, moved(7, 1));
  expect(k8x4 + 2, left, moved(7, 1), left);  // C would be in quarter 1.
  grid.clear(1, 1, partition_at(k8x8));
  set(k4x8, moved(7, 2));
  expect(k4x8 + 1, moved(7, 2), above, above);
  grid.clear(1, 1, partition_at(k8x8));
  set(k4x4, moved(7, 3));
  set(k4x4 + 1, moved(7, 4));
  expect(k4x4 + 4, left, moved(7, 3), moved(7, 4));
  set(k4x4 + 4, moved(7, 5));
  expect(k4x4 + 5, moved(7, 5), moved(7, 4), moved(7, 3));
}

TEST_F(MotionGridTest, ForgetsWhatIsCleared) {
  set(k8x8, moved(5, 1));
  grid.clear(1, 1, partition_at(0));
  expect(k8x8 + 1, kNone, above, above_right);
}

}  // namespace
}  // namespace millrace::motion

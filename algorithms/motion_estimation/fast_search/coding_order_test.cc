// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/coding_order.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace millrace::motion {
namespace {

constexpr int k8x8 = first_partition(PartitionSize::k8x8);
constexpr int k8x4 = first_partition(PartitionSize::k8x4);
constexpr int k4x4 = first_partition(PartitionSize::k4x4);

// A picture of 2x2 macroblocks in which all partitions cost the same per sample and have a zero
// vector, except those that a test sets.
class CodingOrderTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kDear = 1'000'000;

  void estimate(Precision precision = Precision::kQuarter) {
    const auto search = [&](std::size_t macroblock, int partition, const MotionVector& predictor) {
      predictors[{macroblock, partition}] = predictor;
      const auto found = estimates.find({macroblock, partition});
      if (found != estimates.end()) return found->second;
      return MotionEstimate{{0, 0}, kDear};
    };
    const auto skip_distortion = [&](std::size_t macroblock, const MotionVector&) {
      return macroblock == skipped ? 0 : kDear;
    };
    estimate_in_coding_order(2, 2, {search, skip_distortion},
                             {field.view(), modes.data(), skip_vectors.data()},
                             {.precision = precision});
  }

  void whole(std::size_t macroblock, const MotionVector& vector) {
    estimates[{macroblock, 0}] = {vector, 1};
  }

  std::map<std::pair<std::size_t, int>, MotionEstimate> estimates;
  std::size_t skipped = 4;  // None.
  std::map<std::pair<std::size_t, int>, MotionVector> predictors;
  TestField field{4};
  std::vector<MacroblockMode> modes = std::vector<MacroblockMode>(4);
  std::vector<MotionVector> skip_vectors = std::vector<MotionVector>(4);
};

TEST_F(CodingOrderTest, EstimatesEachPartitionOnceAndKeepsTheResult) {
  whole(2, {7, -9});
  estimate();
  EXPECT_EQ(predictors.size(), std::size_t{4 * kPartitions});
  EXPECT_EQ(field.vectors[MotionField::index(2, 0)], (MotionVector{7, -9}));
  EXPECT_EQ(field.costs[MotionField::index(2, 0)], 1u);
  EXPECT_EQ(field.costs[MotionField::index(2, 1)], kDear);
}

TEST_F(CodingOrderTest, PredictsByTheChosenVectorsOfMacroblocksBefore) {
  whole(0, {4, 0});
  whole(1, {8, 12});
  whole(2, {-4, 20});
  estimate();
  EXPECT_EQ((predictors[{0, 0}]), (MotionVector{0, 0}));
  EXPECT_EQ((predictors[{1, 0}]), (MotionVector{4, 0}));   // A alone.
  EXPECT_EQ((predictors[{2, 0}]), (MotionVector{4, 0}));   // 0 for A, B and C.
  EXPECT_EQ((predictors[{3, 0}]), (MotionVector{4, 12}));  // Medians with D for C.
}

TEST_F(CodingOrderTest, LimitsPredictors) {
  whole(0, {9000, -9000});
  estimate();
  EXPECT_EQ((predictors[{1, 0}]), (MotionVector{kMostPredictor - 1, -kMostPredictor}));
}

TEST_F(CodingOrderTest, PredictsWithinTheShapeOfAQuarter) {
  estimates[{0, k4x4}] = {{1, 1}, 1};
  estimates[{0, k4x4 + 1}] = {{2, 2}, 1};
  estimates[{0, k4x4 + 4}] = {{3, 3}, 1};
  estimates[{0, k4x4 + 5}] = {{4, 4}, 1};
  estimates[{0, k8x4}] = {{9, 9}, kDear};
  estimate();
  EXPECT_EQ((predictors[{0, k8x4 + 2}]), (MotionVector{9, 9}));  // B alone.
  EXPECT_EQ((predictors[{0, k4x4 + 1}]), (MotionVector{1, 1}));
  EXPECT_EQ((predictors[{0, k4x4 + 5}]), (MotionVector{2, 2}));  // The median of 3, 2 and 1 (D).
  // The choice of quarter 0 is left of quarter 1 and above quarter 2.
  EXPECT_EQ((predictors[{0, k8x8 + 1}]), (MotionVector{2, 2}));
  EXPECT_EQ((predictors[{0, k8x8 + 2}]), (MotionVector{0, 0}));
  EXPECT_EQ((predictors[{0, 0}]), (MotionVector{0, 0}));
}

TEST_F(CodingOrderTest, ForgetsShapesThatAreNotChosen) {
  estimates[{0, 1}] = {{50, 50}, kDear};
  estimates[{0, k4x4 + 1}] = {{60, 60}, kDear};
  whole(0, {4, 4});
  estimate();
  EXPECT_EQ(modes[0].shape, MacroblockShape::k16x16);
  EXPECT_EQ((predictors[{1, 0}]), (MotionVector{4, 4}));
  EXPECT_EQ((predictors[{0, k8x8}]), (MotionVector{0, 0}));
}

TEST_F(CodingOrderTest, PredictsByTheVectorOfSkippedMacroblocks) {
  for (const std::size_t macroblock : {0, 1, 2}) whole(macroblock, {5, 6});
  skipped = 3;
  estimate();
  EXPECT_EQ(modes[3].shape, MacroblockShape::kSkip);
  EXPECT_EQ(modes[3].cost, 0u);
  EXPECT_EQ(skip_vectors[3], (MotionVector{5, 6}));
  EXPECT_EQ(skip_vectors[1], (MotionVector{0, 0}));  // This is the first row.
  skipped = 0;
  estimate();
  EXPECT_EQ((predictors[{1, 0}]), (MotionVector{0, 0}));
}

TEST_F(CodingOrderTest, SkipsAtWholeSamplesWherePrecisionIsInteger) {
  for (const std::size_t macroblock : {0, 1, 2}) whole(macroblock, {5, 6});
  estimate(Precision::kInteger);
  EXPECT_EQ(skip_vectors[3], (MotionVector{4, 8}));
}

}  // namespace
}  // namespace millrace::motion

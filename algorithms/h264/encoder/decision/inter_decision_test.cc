// SPDX-License-Identifier: Apache-2.0

// One macroblock without neighbours, whose search has found the vector (4, 0) for each partition.
// With a lambda of 32 a cost is 32 times the sum of distortion and bits: (4, 0) has eight bits from
// the predictor (0, 0), and no vector has fewer than two.
#include <millrace/algorithms/h264/encoder/decision/inter_decision.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace millrace::h264 {
namespace {

// Vectors that the search has not found predict badly.
struct CountingKernels : ScalarEncoderKernels {
  std::uint32_t predicted_satd(const PictureView&, const ReferenceView&,
                               const PredictedBlock& block, SampleRows) const {
    ++(block.width * block.height < 64 ? calls_below_8x8 : other_calls);
    return block.vector == good_vector ? 0 : 1'000'000;
  }
  MotionVector good_vector = {1000, 1000};  // It predicts without error.
  mutable int calls_below_8x8 = 0;
  mutable int other_calls = 0;
};

class InterDecisionTest : public testing::Test {
 protected:
  static constexpr int kMostVectors = 16;

  InterDecisionTest() {
    slice_.references[0] = &reference_;
    slice_.counts[0] = 1;
    coding_.view.columns = coding_.view.rows = 1;
    coding_.view.slices = &slice_;
    coding_.macroblocks = &macroblock_;
    coding_.source[0] = samples_.data();
    coding_.lambda = 32;
    coding_.references = 1;
    coding_.searched[0] = {{vectors_.data(), costs_.data()}, &search_predictor_};
    vectors_.fill({4, 0});
    set(motion::PartitionSize::k16x16, 1024);
    set(motion::PartitionSize::k16x8, 512);
    set(motion::PartitionSize::k8x16, 511);
    set(motion::PartitionSize::k8x8, 256);
    set(motion::PartitionSize::k8x4, 128);
    set(motion::PartitionSize::k4x8, 128);
    set(motion::PartitionSize::k4x4, 64);
  }

  // Sets the distortion of the vectors found for partitions of a size.
  void set(motion::PartitionSize size, std::uint32_t distortion) {
    const int first = first_partition(size);
    for (int i = first; i < first + partition_count(size); ++i) {
      costs_[static_cast<std::size_t>(i)] = 32 * (distortion + 8);
    }
  }

  InterDecision<CountingKernels> decision() {
    return InterDecision<CountingKernels>(kernels_, coding_, 0, 0);
  }

  const std::array<std::uint8_t, 256> samples_{};
  const MotionVector search_predictor_ = {};
  const ReferenceView reference_ = {{samples_.data(), samples_.data(), samples_.data()}, 0};
  std::array<MotionVector, motion::kPartitions> vectors_{};
  std::array<std::uint32_t, motion::kPartitions> costs_{};
  SliceView slice_ = {};
  Macroblock macroblock_ = {};
  PictureCoding coding_;
  CountingKernels kernels_;
};

TEST_F(InterDecisionTest, HalvesAreExpectedToCostTheirDistortionAndTheFewestBits) {
  EXPECT_EQ(decision().least_16x8(), 32u * (3 + 2 * (512 + 2)));
  EXPECT_EQ(decision().least_8x16(), 32u * (3 + 2 * (511 + 2)));
}

TEST_F(InterDecisionTest, QuartersAreLeftOutIfTheyAreExpectedToCostTooMuch) {
  const std::uint32_t least = 32 * (5 + 4 * (1 + 256 + 2));
  EXPECT_EQ(decision().choose_8x8(kMostVectors, least), ~0u);
  EXPECT_EQ(kernels_.other_calls, 0);
  // The first quarter turns out to have six bits more.
  EXPECT_EQ(decision().choose_8x8(kMostVectors, least + 32), ~0u);
  EXPECT_GT(kernels_.other_calls, 0);
  EXPECT_LT(decision().choose_8x8(kMostVectors, least + 32 * 4 * 6), ~0u);
}

TEST_F(InterDecisionTest, SubPartitionsOfAQuarterAreTriedOnlyIfTheyMayCostLess) {
  set(motion::PartitionSize::k8x4, 200);
  set(motion::PartitionSize::k4x8, 200);
  set(motion::PartitionSize::k4x4, 100);
  decision().choose_8x8(kMostVectors);
  EXPECT_EQ(kernels_.calls_below_8x8, 0);
  for (const SubPartition partition : macroblock_.sub_partitions) {
    EXPECT_EQ(partition, SubPartition::k8x8);
  }
  set(motion::PartitionSize::k4x4, 10);
  decision().choose_8x8(kMostVectors);
  EXPECT_GT(kernels_.calls_below_8x8, 0);
  for (const SubPartition partition : macroblock_.sub_partitions) {
    EXPECT_EQ(partition, SubPartition::k4x4);
  }
}

// Those are the predictor and the four vectors around the one that the search has found.
TEST_F(InterDecisionTest, WholeMacroblocksArePredictedByVectorsAroundTheBestOne) {
  decision().choose_16x16();
  EXPECT_EQ(kernels_.other_calls, 1 + 4);
}

TEST_F(InterDecisionTest, TheVectorOfSkipIsPredictedOnce) {
  InterDecision<CountingKernels> whole = decision();
  whole.distortion({});
  EXPECT_EQ(kernels_.other_calls, 1);
  whole.choose_16x16();
  EXPECT_EQ(kernels_.other_calls, 1 + 4);
}

// The second step is around (4, 1), of which (4, 0) is a neighbour.
TEST_F(InterDecisionTest, VectorsOfASecondStepArePredictedUnlessTheyWereBefore) {
  kernels_.good_vector = {4, 1};
  decision().choose_16x16();
  EXPECT_EQ(kernels_.other_calls, 1 + 4 + 3);
  EXPECT_EQ(macroblock_.vectors[0][0], (MotionVector{4, 1}));
}

}  // namespace
}  // namespace millrace::h264

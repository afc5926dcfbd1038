// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/cpu/motion_refine_simd.h>
#include <millrace/algorithms/motion_estimation/cpu/motion_simd.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

class MotionOnTarget : public OnSimdTarget {
 protected:
  template <class Sample>
  void expect_reference(const TestFrame<Sample>& frame, const SearchOptions& options) {
    SCOPED_TRACE(testing::Message()
                 << 8 * sizeof(Sample) << " bits, range " << options.range << ", lambda "
                 << options.lambda << ", precision " << static_cast<int>(options.precision));
    TestField expected(frame.macroblocks());
    search_motion_reference(frame.view(), expected.view(), options);
    for (const SadsBy by : {SadsBy::kFours, SadsBy::kEights}) {
      SCOPED_TRACE(testing::Message() << "sums by " << static_cast<int>(by));
      TestField found(frame.macroblocks());
      search(frame.view(), found.view(), options, by);
      EXPECT_EQ(found.costs, expected.costs);
      EXPECT_EQ(found.vectors, expected.vectors);
    }
  }

  template <class Sample>
  void search(const SearchFrame<Sample>& frame, const MotionField& field,
              const SearchOptions& options, SadsBy by) {
    const int width = frame.reference.width;
    const int height = frame.reference.height;
    std::vector<Sample> memory(HalfSamples<Sample>::size_of(width, height));
    const auto half_samples = HalfSamples<Sample>::in(memory.data(), width, height);
    const int rows = height / kMacroblockWidth;
    for (int row = 0; row < rows; ++row) interpolate_row(frame.reference, row, half_samples);
    const SearchRates rates(options.range, options.lambda);
    for (int row = 0; row < rows; ++row) {
      search_row(frame, rates, row, field, by);
      if (options.precision == Precision::kInteger) continue;
      refine_row(frame, half_samples, rates, options.precision, row, field);
    }
  }

  template <class Sample>
  void expect_skip_distortions(const TestFrame<Sample>& frame, Precision precision) {
    const SearchFrame<Sample> view = frame.view();
    std::vector<std::uint32_t> found(frame.macroblocks());
    const int per_row = view.current.macroblocks_per_row();
    for (int row = 0; row < view.current.height / kMacroblockWidth; ++row) {
      find_skip_distortions(view, precision, row, found.data() + per_row * row);
    }
    for (std::size_t macroblock = 0; macroblock < found.size(); ++macroblock) {
      const MotionVector vector = skip_vector(frame.predictors[macroblock], precision);
      EXPECT_EQ(found[macroblock],
                partition_distortion(view, macroblock, partition_at(0), vector, precision))
          << "vector " << vector.x << ", " << vector.y;
    }
  }

  SeededRandom random;
};

TEST_P(MotionOnTarget, FindsWhatTheReferenceFinds) {
  for (const Content content : kAllContents) {
    SCOPED_TRACE(static_cast<int>(content));
    for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
      const SearchOptions options{.range = 9, .lambda = 187, .precision = precision};
      expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 32, content), options);
      expect_reference(TestFrameMaker<std::uint16_t>(random).make(32, 16, content), options);
    }
  }
}

// Filters overshoot below 0 and above the largest sample as far as possible.
TEST_P(MotionOnTarget, ClipsWhatFiltersMake) {
  TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 32, Content::kNoise);
  for (auto& sample : frame.reference) sample = sample < 128 ? 0 : 255;
  expect_reference(frame, {.range = 8});
}

TEST_P(MotionOnTarget, FindsTheDistortionsOfSkippedMacroblocks) {
  for (const Precision precision : {Precision::kInteger, Precision::kQuarter}) {
    expect_skip_distortions(TestFrameMaker<std::uint8_t>(random).make(96, 96, Content::kNoise, 200),
                            precision);
    expect_skip_distortions(TestFrameMaker<std::uint16_t>(random).make(96, 96, Content::kNoise, 20),
                            precision);
    expect_skip_distortions(TestFrameMaker<std::uint16_t>(random).make(32, 32, Content::kBent, 0),
                            precision);
    expect_skip_distortions(
        TestFrameMaker<std::uint16_t>(random).make(96, 96, Content::kBlackAndWhite, 20), precision);
  }
}

// All of a partition's sums exceed 16 bits, in a window with fewer rows than are searched together.
TEST_P(MotionOnTarget, SearchesWhereSumsAreTooLarge) {
  TestFrame<std::uint16_t> frame =
      TestFrameMaker<std::uint16_t>(random).make(32, 32, Content::kBlackAndWhite);
  for (auto& sample : frame.current) sample = 1023;
  for (auto& sample : frame.reference) sample = 0;
  for (auto& predictor : frame.predictors) predictor = {2, 2};
  expect_reference(frame, {.range = 8, .precision = Precision::kInteger});
}

TEST_P(MotionOnTarget, SearchesTheLargestRange) {
  expect_reference(TestFrameMaker<std::uint8_t>(random).make(16, 16, Content::kMoving),
                   {.range = kMostRange, .precision = Precision::kInteger});
}

TEST_P(MotionOnTarget, ChoosesASum) {
  const TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 32, Content::kMoving);
  const SearchOptions options{.range = 8, .precision = Precision::kInteger};
  TestField chosen(frame.macroblocks());
  search(frame.view(), chosen.view(), options, SadsBy::kFastest);
  TestField fours(frame.macroblocks());
  search(frame.view(), fours.view(), options, SadsBy::kFours);
  EXPECT_EQ(chosen.vectors, fours.vectors);
  EXPECT_EQ(chosen.costs, fours.costs);
}

TEST_P(MotionOnTarget, SearchesAnyRange) {
  // Ranges of a single tile of columns, of pairs of tiles, and of both, for vectors of any length.
  for (const int range : {8, 12, 16, 21, 32, 33, 48, 53}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kMoving),
                     {.range = range, .precision = Precision::kInteger});
  }
}

// All candidates are equal except for their vectors' bits, or entirely. The first wins, whichever
// tile it is in.
TEST_P(MotionOnTarget, TakesTheFirstOfEqualCosts) {
  for (const int range : {12, 33}) {
    for (const int lambda : {0, 1}) {
      const SearchOptions options{
          .range = range, .lambda = lambda, .precision = Precision::kInteger};
      expect_reference(TestFrameMaker<std::uint8_t>(random).make(16, 16, Content::kFlat), options);
      expect_reference(TestFrameMaker<std::uint16_t>(random).make(16, 16, Content::kFlat), options);
    }
  }
}

// Macroblocks in the middle of a picture are searched in place, not in a copy.
TEST_P(MotionOnTarget, SearchesInsideOfAPicture) {
  const SearchOptions options{.range = 9, .precision = Precision::kInteger};
  expect_reference(TestFrameMaker<std::uint8_t>(random).make(160, 96, Content::kMoving, 20),
                   options);
  expect_reference(TestFrameMaker<std::uint16_t>(random).make(160, 96, Content::kMoving, 20),
                   options);
}

TEST_P(MotionOnTarget, TakesAnyLambda) {
  for (const int lambda : {0, 1, 31, kMostLambda}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kTwoValues),
                     {.range = 8, .lambda = lambda});
  }
}

TEST_P(MotionOnTarget, FollowsPredictorsOutOfThePicture) {
  expect_reference(TestFrameMaker<std::uint8_t>(random).make(48, 48, Content::kMoving, 300),
                   {.range = 8});
}

TEST(SearchRates, HasABoundedNumberOfRunsInAGroupOfRows) {
  for (int range = kLeastRange; range <= kMostRange; ++range) {
    const SearchRates rates(range, 1);
    for (int rounding = 0; rounding < 4; ++rounding) {
      for (const RowGroup& group : rates.groups(rounding)) {
        ASSERT_LE(group.runs.size(), RowGroup::kMostRuns) << "range " << range;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, MotionOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::motion

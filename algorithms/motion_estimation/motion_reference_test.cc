// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/runtime/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace millrace::motion {
namespace {

TEST(Partitions, EachSizeCoversTheMacroblockOnce) {
  std::array<std::array<int, 256>, kPartitionSizes> covered{};
  for (int p = 0; p < kPartitions; ++p) {
    const Partition partition = partition_at(p);
    for (int y = partition.y; y < partition.y + partition.height; ++y) {
      for (int x = partition.x; x < partition.x + partition.width; ++x) {
        ++covered[static_cast<int>(partition_size(p))][16 * y + x];
      }
    }
  }
  for (const auto& size : covered) EXPECT_THAT(size, testing::Each(1));
}

TEST(MotionCost, LambdasAreTheReferenceEncoders) {
  EXPECT_EQ(motion_lambda(28), 187);
  EXPECT_EQ(motion_lambda(32), 297);
  EXPECT_EQ(motion_lambda(36), 472);
  EXPECT_EQ(motion_lambda(40), 749);
  EXPECT_LE(motion_lambda(51), kMostLambda);
  EXPECT_THROW(motion_lambda(-1), Error);
  EXPECT_THROW(motion_lambda(52), Error);
}

// By table 9-3, se(v) of k is ue(v) of 2 |k| - (k > 0).
TEST(MotionCost, BitsAreOfTheSignedExpGolombCode) {
  for (int difference = -3000; difference <= 3000; ++difference) {
    const int code = 2 * std::abs(difference) - (difference > 0 ? 1 : 0);
    int prefix = 0;
    while ((code + 1) >> (prefix + 1) != 0) ++prefix;
    ASSERT_EQ(difference_bits(difference), 2 * prefix + 1) << difference;
  }
}

TEST(MotionCost, ReferencesCostTheirTruncatedExpGolombCode) {
  EXPECT_EQ(reference_bits(0, 1), 0);
  EXPECT_EQ(reference_bits(0, 2), 1);
  EXPECT_EQ(reference_bits(1, 2), 1);
  const int expected[] = {1, 3, 3, 5};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(reference_bits(i, 4), expected[i]);
}

// Returns the sample at (x, y) of a picture that is `value(x, y)` at whole samples.
template <class Value>
int at(const Value& value, int x, int y) {
  return quarter_sample<std::uint8_t>(value, x, y);
}

TEST(QuarterSample, IsTheSampleItselfAtWholeSamples) {
  const auto value = [](int x, int y) { return (7 * x + 31 * y) & 255; };
  for (int y = -3; y < 3; ++y) {
    for (int x = -3; x < 3; ++x) EXPECT_EQ(at(value, 4 * x, 4 * y), value(x, y));
  }
}

// One bright sample at (0, 0) reveals the taps: half samples get tap * 32 / 32, others means of
// two.
TEST(QuarterSample, HasTheStandardsTaps) {
  const auto value = [](int x, int y) { return x == 0 && y == 0 ? 32 : 0; };
  // b at x = -5/2, -3/2, ..., 5/2; negative ones are clipped.
  const int half[] = {1, 0, 20, 20, 0, 1};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(at(value, -10 + 4 * i, 0), half[i]) << i;
    EXPECT_EQ(at(value, 0, -10 + 4 * i), half[i]) << i;
  }
  EXPECT_EQ(at(value, 2, 2), (20 * 20 * 32 + 512) >> 10);  // j, from unrounded intermediates.
  EXPECT_EQ(at(value, 6, 6), (5 * 5 * 32 + 512) >> 10);    // Two negative taps.
  EXPECT_EQ(at(value, 6, 2), 0);
  EXPECT_EQ(at(value, 1, 0), (32 + 20 + 1) / 2);  // a = (G + b + 1) >> 1.
  EXPECT_EQ(at(value, 3, 0), (20 + 0 + 1) / 2);   // c, whose whole sample is H.
  EXPECT_EQ(at(value, 0, 1), (32 + 20 + 1) / 2);  // d
  EXPECT_EQ(at(value, 0, 3), (20 + 0 + 1) / 2);   // n
  EXPECT_EQ(at(value, 1, 1), (20 + 20 + 1) / 2);  // e = (b + h + 1) >> 1.
  EXPECT_EQ(at(value, 3, 1), (20 + 0 + 1) / 2);   // g = (b + m + 1) >> 1; m is a column further.
  EXPECT_EQ(at(value, 1, 3), (0 + 20 + 1) / 2);   // p = (h + s + 1) >> 1; s is a row further.
  EXPECT_EQ(at(value, 3, 3), 0);                  // r = (m + s + 1) >> 1.
  EXPECT_EQ(at(value, 2, 1), (20 + 13 + 1) / 2);  // f = (b + j + 1) >> 1.
  EXPECT_EQ(at(value, 1, 2), (20 + 13 + 1) / 2);  // i = (h + j + 1) >> 1.
  EXPECT_EQ(at(value, 3, 2), (0 + 13 + 1) / 2);   // k = (j + m + 1) >> 1.
  EXPECT_EQ(at(value, 2, 3), (0 + 13 + 1) / 2);   // q = (j + s + 1) >> 1.
}

TEST(QuarterSample, KeepsFlatPicturesFlat) {
  for (const int level : {0, 1, 128, 255}) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        EXPECT_EQ(at([level](int, int) { return level; }, x, y), level);
      }
    }
  }
}

TEST(Satd, IsHalfTheSumOfTheHadamardTransform) {
  int differences[16] = {};
  EXPECT_EQ(satd_4x4(differences), 0u);
  differences[5] = 3;  // Each of the 16 is +-3.
  EXPECT_EQ(satd_4x4(differences), 24u);
  for (int& d : differences) d = -2;  // All in one: 16 times -2.
  EXPECT_EQ(satd_4x4(differences), 16u);
  for (int i = 0; i < 16; ++i) differences[i] = i % 2 == 0 ? 1 : 0;
  EXPECT_EQ(satd_4x4(differences), 8u);
}

TEST(Satd, IsAtMost32TimesTheLargestDifference) {
  int differences[16] = {};
  for (int i = 0; i < 16; ++i) differences[i] = is_bent(i % 4, i / 4) ? -1023 : 1023;
  EXPECT_EQ(satd_4x4(differences), 32'736u);
}

// All candidates are equally distant, so the vector with the fewest bits wins.
TEST(SearchMotionReference, TakesThePredictorInAFlatPicture) {
  SeededRandom random;
  TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 32, Content::kFlat, 0);
  frame.predictors = {{0, 0}, {5, -3}, {-8, 6}, {2, 1}};
  TestField field(4);
  search_motion_reference(frame.view(), field.view(), {.range = 8, .lambda = 100});
  for (int macroblock = 0; macroblock < 4; ++macroblock) {
    for (int partition = 0; partition < kPartitions; ++partition) {
      const std::size_t index = MotionField::index(macroblock, partition);
      EXPECT_EQ(field.vectors[index], frame.predictors[macroblock]);
      EXPECT_EQ(field.costs[index], 200u);
    }
  }
}

// One macroblock, searched at whole samples.
class WholeSampleSearchTest : public testing::Test {
 protected:
  WholeSampleSearchTest() {
    frame = TestFrameMaker<std::uint8_t>(random).make(16, 16, Content::kFlat, 0);
    frame.stride = 16;
    frame.current.assign(256, 0);
    frame.reference.assign(256, 0);
  }

  // Copies to the macroblock the samples at a vector in whole samples, in a reference of noise.
  void move_by(int x, int y) {
    for (auto& sample : frame.reference) sample = static_cast<std::uint8_t>(random(0, 255));
    for (int i = 0; i < 256; ++i) {
      frame.current[i] =
          frame.reference[16 * std::clamp(i / 16 + y, 0, 15) + std::clamp(i % 16 + x, 0, 15)];
    }
  }

  TestField search(int lambda) {
    TestField field(1);
    search_motion_reference(frame.view(), field.view(),
                            {.range = kRange, .lambda = lambda, .precision = Precision::kInteger});
    return field;
  }

  static constexpr int kRange = 8;

  SeededRandom random;
  TestFrame<std::uint8_t> frame;
};

// The window's centre is (p + 2) >> 2: 1 for p = 2, whose window spans -7 to 8, and 0 for p = -2.
TEST_F(WholeSampleSearchTest, PredictorsInTheMiddleOfSamplesAreRoundedUpwards) {
  const std::pair<int, int> cases[] = {{2, -7}, {1, -8}, {-2, -8}, {-3, -9}, {5, -7}, {6, -6}};
  for (const auto& [predictor, first] : cases) {
    frame.predictors = {{static_cast<std::int16_t>(predictor), 0}};
    const TestField field = search(0);  // All candidates are equal, so the first wins.
    for (const MotionVector& vector : field.vectors) {
      EXPECT_EQ(vector.x, 4 * first) << predictor;
      EXPECT_EQ(vector.y, 4 * -kRange) << predictor;
    }
  }
}

TEST_F(WholeSampleSearchTest, TheFirstOfAllIsFoundInAFlatPictureWhereBitsAreFree) {
  const TestField field = search(0);
  for (const MotionVector& vector : field.vectors) {
    EXPECT_EQ(vector, (MotionVector{-4 * kRange, -4 * kRange}));
  }
  EXPECT_THAT(field.costs, testing::Each(0U));
}

TEST_F(WholeSampleSearchTest, TheWindowGoesFromMinusRangeToOneBeforeRange) {
  for (const MotionVector& there :
       {MotionVector{-kRange, 0}, {0, -kRange}, {kRange - 1, 0}, {0, kRange - 1}}) {
    move_by(there.x, there.y);
    const TestField field = search(0);
    EXPECT_EQ(field.costs[0], 0U);
    EXPECT_EQ(field.vectors[0].x, 4 * there.x);
    EXPECT_EQ(field.vectors[0].y, 4 * there.y);
  }
  for (const MotionVector& outside :
       {MotionVector{-kRange - 1, 0}, {0, -kRange - 1}, {kRange, 0}, {0, kRange}}) {
    move_by(outside.x, outside.y);
    EXPECT_GT(search(0).costs[0], 0U) << outside.x << ", " << outside.y;
  }
}

// Left of and above the picture all samples equal the one in its corner.
TEST_F(WholeSampleSearchTest, SamplesOutsideAreTheNearestInside) {
  move_by(0, 0);
  frame.reference[0] = 77;
  frame.predictors = {{-4 * (16 + kRange), -4 * (16 + kRange)}};
  frame.current.assign(256, 77);
  const TestField field = search(10);
  EXPECT_EQ(field.vectors[0], frame.predictors[0]);
  EXPECT_EQ(field.costs[0], 20U);

  // A row and its continuation beyond the right edge, which repeats the last sample.
  frame.predictors = {{4 * (16 + kRange), 0}};
  for (int i = 0; i < 256; ++i) frame.current[i] = frame.reference[i / 16 * 16 + 15];
  EXPECT_EQ(search(10).vectors[0], frame.predictors[0]);
  EXPECT_EQ(search(10).costs[0], 20U);
}

}  // namespace
}  // namespace millrace::motion

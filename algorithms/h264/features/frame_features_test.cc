// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/black_rows.h>
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/features/test_picture.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace millrace::h264 {
namespace {

// A block's motion is rounded to units of 2^-21.
constexpr double kTolerance = 1e-6;

std::int64_t count_of(const FrameFeatures& features, MacroblockKind kind) {
  return features.kinds[static_cast<std::size_t>(kind)];
}

// The sums of a picture with PicOrderCnt steps of 2, and its rows.
struct Measured {
  explicit Measured(const ParsedPicture& picture) {
    MeasuredPictureMaker maker;
    sums = sum_macroblocks(maker.make(picture, 2), rows);
  }

  std::vector<MacroblockRowSums> rows;
  PictureSums sums;
};

MotionStatistics motion_of(const ParsedPicture& picture) {
  return measure_motion(Measured(picture).sums.motion);
}

int black_rows_of(const ParsedPicture& picture) {
  return count_black_rows(Measured(picture).rows, picture.sequence->width_in_macroblocks);
}

TEST(FrameFeatures, TypeIsThatOfTheMostPredictiveSlice) {
  ParsedPicture picture = made_picture(1, 1, SliceType::kI, MacroblockType::kIntra4x4);
  EXPECT_EQ(frame_type(picture), 1);
  picture.slices.resize(2);
  picture.slices[1].header.type = SliceType::kP;
  EXPECT_EQ(frame_type(picture), 2);
  picture.slices.resize(3);
  picture.slices[2].header.type = SliceType::kB;
  EXPECT_EQ(frame_type(picture), 3);
}

TEST(FrameFeatures, QpIsOfMacroblocksThatArrived) {
  ParsedPicture picture = made_picture(2, 2, SliceType::kI, MacroblockType::kIntra16x16);
  picture.macroblocks[0].qp = 10;
  picture.macroblocks[1].qp = 20;
  picture.macroblocks[2].qp = 51;
  picture.macroblocks[3] = {};  // Lost.
  const FrameFeatures features = FrameFeatureExtractor().measure(picture);
  EXPECT_DOUBLE_EQ(features.mean_qp, 27);
  EXPECT_DOUBLE_EQ(features.mean_qp_inside, 27);
  EXPECT_EQ(features.least_qp, 10);
  EXPECT_EQ(features.greatest_qp, 51);
  EXPECT_EQ(features.qp_histogram[51], 1);
  EXPECT_EQ(std::accumulate(features.qp_histogram.begin(), features.qp_histogram.end(), 0), 3);
  EXPECT_EQ(features.lost_macroblocks, 1);
}

TEST(FrameFeatures, APictureOfNothingHasZeros) {
  const FrameFeatures features = FrameFeatureExtractor().measure(ParsedPicture());
  EXPECT_EQ(features.mean_qp, 0);
  EXPECT_EQ(features.motion.length.mean, 0);
  EXPECT_EQ(features.motion.length.deviation, 0);
  EXPECT_EQ(features.references.mean_output_distance, 0);
  EXPECT_EQ(features.coefficients.luma_4x4.mean_energy(0), 0);
}

TEST(FrameFeatures, KeyFramesMayBeIntraPicturesWithARecoveryPoint) {
  ParsedPicture picture = made_picture(1, 1, SliceType::kI, MacroblockType::kIntra4x4);
  picture.has_recovery_point = true;
  FrameFeatures features = FrameFeatureExtractor().measure(picture);
  EXPECT_FALSE(features.is_idr);
  EXPECT_TRUE(features.is_key_frame);
  picture.slices[0].header.type = SliceType::kP;
  features = FrameFeatureExtractor().measure(picture);
  EXPECT_FALSE(features.is_key_frame);
}

TEST(FrameFeatures, KindsDistinguishPFromBAndSkippedFromDirect) {
  ParsedPicture picture = made_picture(4, 1, SliceType::kP, MacroblockType::kSkip);
  picture.slices.resize(2);
  picture.slices[1].header.type = SliceType::kB;
  picture.macroblocks[1].type = MacroblockType::kInter8x8;
  picture.macroblocks[1].sub_partitions[0] = SubPartition::k4x4;
  picture.macroblocks[1].sub_partitions[1] = SubPartition::k8x4;
  picture.macroblocks[2].slice = picture.macroblocks[3].slice = 1;
  picture.macroblocks[3].type = MacroblockType::kDirect;
  const FrameFeatures features = FrameFeatureExtractor().measure(picture);
  EXPECT_EQ(count_of(features, MacroblockKind::kPSkip), 1);
  EXPECT_EQ(count_of(features, MacroblockKind::kP8x8), 1);
  EXPECT_EQ(count_of(features, MacroblockKind::kBSkip), 1);
  EXPECT_EQ(count_of(features, MacroblockKind::kDirect), 1);
  EXPECT_EQ(features.sub_partitions, (std::array<std::int64_t, 5>{2, 1, 0, 1, 0}));
}

TEST(FrameFeatures, BitsSumUpToTheBytesOfTheAccessUnit) {
  ParsedPicture picture = made_picture(2, 1, SliceType::kI, MacroblockType::kIntra4x4);
  picture.bytes = 100;
  picture.slices[0].header_bits = 60;
  for (Macroblock& macroblock : picture.macroblocks) {
    for (std::uint32_t i = 0; i < kSyntaxClasses; ++i) macroblock.bits[i] = 10 * (i + 1);
  }
  const FrameFeatures features = FrameFeatureExtractor().measure(picture);
  EXPECT_EQ(features.header_bits, 60);
  EXPECT_EQ(features.bits, (std::array<std::int64_t, 4>{20, 40, 60, 80}));
  EXPECT_EQ(features.other_bits, 800 - 60 - 200);
}

// P at distance 2 (PicOrderCnt differs by 4): vectors are divided by 4.
TEST(Motion, LengthsAreDividedByTwiceTheDistance) {
  ParsedPicture picture = made_picture(2, 1, SliceType::kP, MacroblockType::kInter16x16);
  picture.id = 2;
  picture.picture_order = 4;
  add_reference(picture, 0, 1, 0);
  refer(picture.macroblocks[0], 0, {12, -16}, {3, 4});   // 20 long.
  refer(picture.macroblocks[1], 0, {-4, 0}, {0, -500});  // 4 long.
  const MotionStatistics motion = motion_of(picture);
  EXPECT_EQ(motion.blocks, 32);
  EXPECT_NEAR(motion.length.mean, (5 + 1) / 2.0, kTolerance);
  EXPECT_NEAR(motion.length.deviation, std::sqrt(1e-5 + (25 + 1) / 2.0 - 9), kTolerance);
  EXPECT_NEAR(motion.x.mean, (3 + 1) / 2.0, kTolerance);
  EXPECT_NEAR(motion.x.deviation, std::sqrt(1e-5 + (9 + 1) / 2.0 - 4), kTolerance);
  EXPECT_NEAR(motion.y.mean, 4 / 2.0, kTolerance);
  // Differences are neither divided nor clamped.
  EXPECT_NEAR(motion.difference.mean, (5 + 500) / 2.0, kTolerance);
  EXPECT_NEAR(motion.difference.deviation, std::sqrt(1e-5 + (25 + 250'000) / 2.0 - 252.5 * 252.5),
              1e-9);
  EXPECT_NEAR(motion.root_mean_square_difference, std::sqrt(1e-5 + (25 + 250'000) / 2.0), 1e-9);
}

TEST(Motion, ABlockOfBothListsHasTheMeanOfTheirs) {
  ParsedPicture picture = made_picture(1, 1, SliceType::kB, MacroblockType::kInter16x16);
  picture.picture_order = 2;
  add_reference(picture, 0, 0, 0);
  add_reference(picture, 1, 1, 6);
  refer(picture.macroblocks[0], 0, {8, 0}, {});   // Distance 1: 4.
  refer(picture.macroblocks[0], 1, {0, 24}, {});  // Distance 2: 6.
  const MotionStatistics motion = motion_of(picture);
  EXPECT_NEAR(motion.length.mean, 5, kTolerance);
  EXPECT_NEAR(motion.x.mean, 2, kTolerance);
  EXPECT_NEAR(motion.y.mean, 3, kTolerance);
}

TEST(Motion, DirectCountsAsNoMotionAndSkippedNotAtAll) {
  ParsedPicture picture = made_picture(4, 1, SliceType::kB, MacroblockType::kInter16x16);
  picture.picture_order = 2;
  add_reference(picture, 0, 0, 0);
  for (Macroblock& macroblock : picture.macroblocks) refer(macroblock, 0, {8, 0}, {});
  picture.macroblocks[1].type = MacroblockType::kDirect;
  picture.macroblocks[2].type = MacroblockType::kSkip;
  picture.macroblocks[3].type = MacroblockType::kIntra4x4;
  const MotionStatistics motion = motion_of(picture);
  EXPECT_EQ(motion.blocks, 32);
  EXPECT_NEAR(motion.length.mean, 4 / 2.0, kTolerance);
}

TEST(Motion, AMissingReferenceAndAnIndexBeyondTheListCountAsNoMotion) {
  ParsedPicture picture = made_picture(3, 1, SliceType::kP, MacroblockType::kInter16x16);
  picture.picture_order = 2;
  add_reference(picture, 0, 0, 0);
  add_reference(picture, 0, -1, 0);
  for (Macroblock& macroblock : picture.macroblocks) refer(macroblock, 0, {8, 0}, {});
  for (auto& index : picture.macroblocks[1].references[0]) index = 1;
  for (auto& index : picture.macroblocks[2].references[0]) index = 31;
  EXPECT_NEAR(motion_of(picture).length.mean, 4 / 3.0, kTolerance);
  const ReferenceDistances distances = measure_references(Measured(picture).sums);
  EXPECT_EQ(distances.references, 12);
  EXPECT_EQ(distances.missing, 8);
}

// 5 x 5 macroblocks, each intra and empty but in the middle row. 80 % of two rows are 8 of 10.
ParsedPicture boxed_picture() {
  ParsedPicture picture = made_picture(5, 5, SliceType::kI, MacroblockType::kIntra16x16);
  for (std::size_t i = 5; i < 20; ++i) picture.macroblocks[i].coded_block_pattern = 1;
  return picture;
}

TEST(BlackRows, AreThoseOfEmptyIntraMacroblocks) {
  ParsedPicture picture = boxed_picture();
  EXPECT_EQ(black_rows_of(picture), 1);  // 9 of 10: the first never counts.
  picture.macroblocks[1].coded_block_pattern = 16;
  EXPECT_EQ(black_rows_of(picture), 1);      // 8 of 10.
  set_coefficients(picture, 3, {{256, 5}});  // The DC of chroma does not count.
  EXPECT_EQ(black_rows_of(picture), 1);
  set_coefficients(picture, 2, {{0, 1}});  // The DC of an Intra16x16.
  EXPECT_EQ(black_rows_of(picture), 0);    // 7 of 10.
}

TEST(BlackRows, BeginAtTheTop) {
  ParsedPicture picture = boxed_picture();
  for (std::size_t i : {1, 2, 3}) picture.macroblocks[i].coded_block_pattern = 1;
  for (std::size_t i = 5; i < 10; ++i) picture.macroblocks[i].coded_block_pattern = 0;
  for (std::size_t i = 15; i < 20; ++i) picture.macroblocks[i].coded_block_pattern = 0;
  EXPECT_EQ(black_rows_of(picture), 0);
}

TEST(BlackRows, AreNoneWhereHalfThePictureIsEmpty) {
  EXPECT_EQ(black_rows_of(made_picture(5, 4, SliceType::kI, MacroblockType::kIntra16x16)), 0);
}

TEST(BlackRows, HoldFromThePictureAfterAnIntraPictureToTheNext) {
  FrameFeatureExtractor extractor;
  ParsedPicture intra = boxed_picture();
  intra.macroblocks[1].qp = 10;
  ParsedPicture later = made_picture(5, 5, SliceType::kP, MacroblockType::kSkip);
  later.macroblocks[1].qp = 10;
  ParsedPicture full = made_picture(5, 5, SliceType::kI, MacroblockType::kIntra16x16);
  full.macroblocks[24].qp = 5;
  EXPECT_EQ(extractor.measure(intra).black_rows, 0);
  const FrameFeatures features = extractor.measure(later);
  EXPECT_EQ(features.black_rows, 1);
  EXPECT_DOUBLE_EQ(features.mean_qp, 30 - 20 / 25.0);
  EXPECT_DOUBLE_EQ(features.mean_qp_inside, 30);
  EXPECT_EQ(extractor.measure(full).black_rows, 1);
  EXPECT_EQ(extractor.measure(later).black_rows, 0);
}

TEST(BlackRows, OfAnotherSizeDoNotHold) {
  FrameFeatureExtractor extractor;
  extractor.measure(boxed_picture());
  EXPECT_EQ(extractor.measure(made_picture(5, 2, SliceType::kP, MacroblockType::kSkip)).black_rows,
            0);
}

TEST(PictureOrder, TheStepIsTheLeastSoFar) {
  FrameFeatureExtractor extractor;
  ParsedPicture picture = made_picture(1, 1, SliceType::kP, MacroblockType::kInter16x16);
  add_reference(picture, 0, 0, 0);
  refer(picture.macroblocks[0], 0, {8, 0}, {});
  picture.picture_order = 4;  // Distance 2, as steps are taken for 2.
  EXPECT_NEAR(extractor.measure(picture).motion.length.mean, 2, kTolerance);
  picture.picture_order = 3;  // A step of 1: distance 3.
  EXPECT_NEAR(extractor.measure(picture).motion.length.mean, 8 / 6.0, kTolerance);
}

TEST(Damage, IsFollowedFromPictureToPicture) {
  FrameFeatureExtractor extractor;
  ParsedPicture picture = made_picture(2, 1, SliceType::kI, MacroblockType::kIntra16x16);
  picture.macroblocks[0].type = MacroblockType::kLost;
  EXPECT_EQ(extractor.measure(picture).damage.inter_macroblocks, 0);
  for (int id = 1; id <= 2; ++id) {
    picture = made_picture(2, 1, SliceType::kP, MacroblockType::kInter16x16);
    picture.id = id;
    add_reference(picture, 0, id - 1, 0);
    for (Macroblock& macroblock : picture.macroblocks) refer(macroblock, 0, {0, 0}, {});
    const PictureDamage damage = extractor.measure(picture).damage;
    EXPECT_EQ(damage.inter_macroblocks, 2);
    EXPECT_EQ(damage.refer_to_concealed, id == 1 ? 1 : 0);
    EXPECT_EQ(damage.refer_to_damaged, 1);
    extractor.release(id - 1);
  }
}

TEST(FrameFeatures, SumsStandForTheMacroblocksOfASoundPicture) {
  ParsedPicture picture = made_picture(2, 1, SliceType::kP, MacroblockType::kInter16x16);
  add_reference(picture, 0, 0, 0);
  picture.id = 1;
  picture.picture_order = 2;
  for (Macroblock& macroblock : picture.macroblocks) refer(macroblock, 0, {8, 0}, {});
  const Measured measured(picture);
  FrameFeatureExtractor extractor;
  EXPECT_FALSE(extractor.needs_macroblocks(picture, measured.sums));
  picture.macroblocks.clear();
  picture.coefficients = {};
  const FrameFeatures features = extractor.measure(picture, measured.sums, measured.rows);
  EXPECT_EQ(features.macroblocks, 2);
  EXPECT_EQ(features.motion.length.mean, 4);
  EXPECT_EQ(features.damage.inter_macroblocks, 2);
  EXPECT_EQ(features.damage.refer_to_damaged, 0);
}

TEST(FrameFeatures, TheDamageOfALossTakesMacroblocks) {
  FrameFeatureExtractor extractor;
  ParsedPicture picture = made_picture(2, 1, SliceType::kI, MacroblockType::kIntra16x16);
  picture.macroblocks[0].type = MacroblockType::kLost;
  EXPECT_TRUE(extractor.needs_macroblocks(picture, Measured(picture).sums));
  extractor.measure(picture);
  picture = made_picture(2, 1, SliceType::kP, MacroblockType::kInter16x16);
  picture.id = 1;
  EXPECT_FALSE(extractor.needs_macroblocks(picture, Measured(picture).sums));
  add_reference(picture, 0, 0, 0);
  EXPECT_TRUE(extractor.needs_macroblocks(picture, Measured(picture).sums));
}

TEST(CoefficientStatistics, EnergyAndZerosAreByTheSumOfIndices) {
  ParsedPicture picture = made_picture(3, 1, SliceType::kI, MacroblockType::kIntra4x4);
  picture.macroblocks[0].coded_block_pattern = 1;
  set_coefficients(picture, 0,
                   {{0, 8},                 // Block (0, 0), c_00.
                    {16 * 5 + 4, 3},        // Block (1, 1), c_01.
                    {16 * 15 + 15, 2},      // Block (3, 3), c_33.
                    {256 + 8 * 4, -100}});  // Cannot be: its chroma is not coded.
  picture.macroblocks[1].coded_block_pattern = 2;
  picture.macroblocks[1].has_8x8_transform = true;
  set_coefficients(picture, 1, {{16 * 7 + 15, 5}});  // Block (1, 0), c_77.
  picture.macroblocks[2].coded_block_pattern = 16;
  set_coefficients(picture, 2,
                   {{0, 100},            // Cannot be: its luma is not coded.
                    {320 + 8 * 4, 6}});  // Cr, block (0, 1), c_00.
  const CoefficientStatistics statistics = measure_coefficients(Measured(picture).sums);
  EXPECT_EQ(statistics.luma_4x4.blocks, 16);
  EXPECT_DOUBLE_EQ(statistics.luma_4x4.mean_energy(0), 64 / 16.0);
  EXPECT_DOUBLE_EQ(statistics.luma_4x4.zero_fraction(0), 15 / 16.0);
  EXPECT_DOUBLE_EQ(statistics.luma_4x4.mean_energy(1), 9 / 32.0);
  EXPECT_DOUBLE_EQ(statistics.luma_4x4.zero_fraction(3), 1);
  EXPECT_DOUBLE_EQ(statistics.luma_4x4.mean_energy(6), 4 / 16.0);
  EXPECT_EQ(statistics.luma_8x8.blocks, 4);
  EXPECT_DOUBLE_EQ(statistics.luma_8x8.mean_energy(14), 25 / 4.0);
  EXPECT_DOUBLE_EQ(statistics.luma_8x8.zero_fraction(14), 3 / 4.0);
  EXPECT_EQ(statistics.chroma.blocks, 8);
  EXPECT_DOUBLE_EQ(statistics.chroma.mean_energy(0), 36 / 8.0);
}

TEST(CoefficientStatistics, SizesSumUpToTheBlock) {
  int small = 0, large = 0;
  for (int i = 0; i < kFrequencies4x4; ++i) {
    small += FrequencySums<kFrequencies4x4>::coefficients_of(i);
  }
  for (int i = 0; i < kFrequencies8x8; ++i) {
    large += FrequencySums<kFrequencies8x8>::coefficients_of(i);
  }
  EXPECT_EQ(small, 16);
  EXPECT_EQ(large, 64);
}

TEST(ReferenceDistances, AreInDecodingAndInOutputOrder) {
  ParsedPicture picture = made_picture(1, 1, SliceType::kB, MacroblockType::kSkip);
  picture.id = 30;
  picture.picture_order = 8;
  add_reference(picture, 0, 29, 4);
  add_reference(picture, 1, 4, 10);
  refer(picture.macroblocks[0], 0, {}, {});
  refer(picture.macroblocks[0], 1, {}, {});
  const ReferenceDistances distances = measure_references(Measured(picture).sums);
  EXPECT_EQ(distances.references, 8);
  EXPECT_EQ(distances.counts[0], 4);
  EXPECT_EQ(distances.counts[16], 4);  // 26 pictures.
  EXPECT_DOUBLE_EQ(distances.mean_decoding_distance, (1 + 26) / 2.0);
  EXPECT_DOUBLE_EQ(distances.mean_output_distance, (2 + 1) / 2.0);
}

TEST(FrameFeatures, InferredPicturesAreSaidByTheNextFrame) {
  FrameFeatureExtractor extractor;
  const ParsedPicture picture = made_picture(1, 1, SliceType::kP, MacroblockType::kSkip);
  extractor.skip(picture);
  extractor.skip(picture);
  EXPECT_EQ(extractor.measure(picture).inferred_pictures, 2);
  EXPECT_EQ(extractor.measure(picture).inferred_pictures, 0);
}

// Nothing that the fields of a picture may hold is read as an index unchecked.
TEST(FrameFeatures, TakeAnyPicture) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto any = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  FrameFeatureExtractor extractor;
  for (int round = 0; round < 200; ++round) {
    ParsedPicture picture = made_picture(any(1, 4), any(1, 4), static_cast<SliceType>(any(0, 2)),
                                         MacroblockType::kSkip);
    picture.picture_order = any(INT32_MIN, INT32_MAX);
    picture.is_idr = any(0, 3) == 0;
    for (int list = 0; list < 2; ++list) {
      for (int count = any(0, 3); count > 0; --count) {
        add_reference(picture, list, any(-1, 9), any(INT32_MIN, INT32_MAX));
      }
    }
    if (any(0, 3) == 0) picture.coefficients = {};
    for (Macroblock& macroblock : picture.macroblocks) {
      macroblock.type = static_cast<MacroblockType>(any(0, 10));
      macroblock.qp = static_cast<std::uint8_t>(any(0, 255));
      macroblock.slice = static_cast<std::uint16_t>(any(0, 2));
      macroblock.coded_block_pattern = static_cast<std::uint8_t>(any(0, 255));
      macroblock.sub_partitions[0] = static_cast<SubPartition>(any(0, 255));
      for (auto& list : macroblock.references) {
        for (auto& index : list) index = static_cast<std::int8_t>(any(-128, 127));
      }
      refer(macroblock, 0, {static_cast<std::int16_t>(any(-32768, 32767)), -32768}, {});
    }
    const FrameFeatures features = extractor.measure(picture);
    EXPECT_EQ(std::accumulate(features.kinds.begin(), features.kinds.end(), std::int64_t{0}),
              features.macroblocks);
    EXPECT_TRUE(std::isfinite(features.motion.length.deviation));
  }
}

}  // namespace
}  // namespace millrace::h264

// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/me/me_scene_cut.h>
#include <millrace/tools/command/me/motion_summary.h>
#include <millrace/tools/command/me/vectors/chosen_partition.h>
#include <millrace/tools/command/me/vectors/me_test_picture.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace millrace::tools {
namespace {

using motion::MacroblockMode;
using motion::MacroblockShape;
using motion::Precision;
using motion::QuarterShape;

TEST(MePartitionsTest, PartitionsCoverTheMacroblockOnce) {
  SeededRandom random;
  MeTestPicture picture(256, 256, 4);
  picture.randomise(random);
  std::vector<ChosenPartition> partitions;
  for (const MacroblockMode& mode : picture.modes) {
    choose_partitions(mode, partitions);
    int covered[16][16] = {};
    for (const ChosenPartition& chosen : partitions) {
      const motion::Partition area = motion::partition_at(chosen.partition);
      for (int i = 0; i < area.width * area.height; ++i) {
        ++covered[area.y + i / area.width][area.x + i % area.width];
      }
      EXPECT_EQ(chosen.reference, mode.references[area.y / 8 * 2 + area.x / 8]);
    }
    for (const auto& row : covered) EXPECT_THAT(row, testing::Each(1));
  }
}

TEST(MePartitionsTest, ASkippedMacroblockIsOneOfItsOwnKind) {
  std::vector<ChosenPartition> partitions;
  choose_partitions({.shape = MacroblockShape::kSkip}, partitions);
  ASSERT_EQ(partitions.size(), 1U);
  EXPECT_STREQ(kPartitionNames[partitions[0].kind], "skip");
}

TEST(MeSummaryTest, FractionsAreOfTheArea) {
  MeTestPicture picture(32, 32);
  picture.modes[0] = {.cost = 10, .shape = MacroblockShape::kSkip};
  picture.modes[1] = {.cost = 20, .shape = MacroblockShape::k8x16};
  picture.modes[2] = {
      .cost = 30,
      .shape = MacroblockShape::k8x8,
      .quarters = {QuarterShape::k8x8, QuarterShape::k4x4, QuarterShape::k4x4, QuarterShape::k8x4}};
  picture.modes[3] = {.cost = 40, .shape = MacroblockShape::k8x16};
  MotionSummary summary({});
  summary.add(picture.view());
  summary.add(picture.view());
  EXPECT_EQ(summary.pictures(), 2);
  EXPECT_EQ(summary.total_cost(), 200U);
  EXPECT_EQ(summary.fraction_json(), (nlohmann::json{{"16x16", 0.0},
                                                     {"16x8", 0.0},
                                                     {"8x16", 0.5},
                                                     {"8x8", 0.0625},
                                                     {"8x4", 0.0625},
                                                     {"4x8", 0.0},
                                                     {"4x4", 0.125},
                                                     {"skip", 0.25}}));
}

TEST(MeSummaryTest, WithoutPicturesThereIsNothing) {
  const MotionSummary summary({});
  EXPECT_EQ(summary.total_cost(), 0U);
  EXPECT_EQ(summary.fraction(0), 0);
}

// A picture of 100 macroblocks of stripes, whose mean is off by 10 a sample.
class MeSceneCutTest : public testing::Test {
 protected:
  static constexpr int kLambda = 300;
  static constexpr std::uint32_t kMeanSad = 10 * 256;

  MeSceneCutTest() : picture_(160, 160) {
    for (int y = 0; y < 160; ++y) {
      for (int x = 0; x < 160; ++x) picture_.luma().row(y)[x] = x % 2 == 0 ? 118 : 138;
    }
    predict(0, 100, 0);
  }

  // Lets macroblocks first to last - 1 have this SAD, at a vector that costs bits.
  void predict(int first, int last, std::uint32_t sad) {
    for (int i = first; i < last; ++i) {
      const std::size_t position = motion::MotionField::index(i, 0);
      picture_.predictors[i] = {4, -9};
      picture_.vectors[0][position] = {8, 24};
      picture_.costs[0][position] = motion::motion_cost(sad, kLambda, 4, 33);
    }
  }

  void flatten(int rows) {
    for (int y = 0; y < 16 * rows; ++y) {
      for (int x = 0; x < 160; ++x) picture_.luma().row(y)[x] = 77;
    }
  }

  bool is_cut(Precision precision = Precision::kInteger) {
    return is_scene_cut(picture_.view(), {.lambda = kLambda, .precision = precision});
  }

  MeTestPicture picture_;
};

TEST_F(MeSceneCutTest, GoodPredictionIsNone) { EXPECT_FALSE(is_cut()); }

TEST_F(MeSceneCutTest, NearlyAllMacroblocksHaveToBeUnpredicted) {
  predict(0, 80, kMeanSad);
  EXPECT_FALSE(is_cut());
  predict(80, 81, kMeanSad);
  EXPECT_TRUE(is_cut());
}

TEST_F(MeSceneCutTest, ThreeQuartersOfTheMeansDistortionIsPredicted) {
  predict(0, 100, kMeanSad * 3 / 4);
  EXPECT_FALSE(is_cut());
  predict(0, 100, kMeanSad * 3 / 4 + 1);
  EXPECT_TRUE(is_cut());
}

TEST_F(MeSceneCutTest, FlatMacroblocksDoNotCount) {
  predict(0, 100, kMeanSad);
  predict(0, 50, 0);
  flatten(5);
  EXPECT_TRUE(is_cut());
}

TEST_F(MeSceneCutTest, APictureWithNextToNoTextureIsNone) {
  predict(0, 100, kMeanSad);
  flatten(8);
  EXPECT_TRUE(is_cut());
  flatten(9);
  EXPECT_FALSE(is_cut());
  flatten(10);
  EXPECT_FALSE(is_cut());
}

TEST_F(MeSceneCutTest, OnlyTheFirstOfSeveralInARowCounts) {
  MotionSummary summary({.lambda = kLambda, .precision = Precision::kInteger});
  for (picture_.motion.index = 1; picture_.motion.index < 8; ++picture_.motion.index) {
    const bool is_found = picture_.motion.index % 4 == 0;
    predict(0, 100, is_found ? 0 : kMeanSad);
    summary.add(picture_.view());
  }
  EXPECT_THAT(summary.scene_cuts(), testing::ElementsAre(1, 5));
}

// The transform of stripes has one coefficient a block, of 160: 80 after halving, half the SAD.
TEST_F(MeSceneCutTest, SatdIsComparedWithSatd) {
  predict(0, 100, kMeanSad / 2 * 3 / 4);
  EXPECT_FALSE(is_cut(Precision::kQuarter));
  predict(0, 100, kMeanSad / 2 * 3 / 4 + 1);
  EXPECT_TRUE(is_cut(Precision::kQuarter));
}

}  // namespace
}  // namespace millrace::tools

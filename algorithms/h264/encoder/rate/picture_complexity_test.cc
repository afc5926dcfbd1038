// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

class PictureComplexityTest : public testing::Test {
 protected:
  PictureComplexityTest() {
    clip.width = 16 * kColumns;
    clip.height = 16 * kRows;
    clip.seed = random();
    clip.pans = true;
  }

  // Returns the picture of a number; more macroblocks than are all analysed.
  SamplePicture picture(int index) const {
    SamplePicture picture(kColumns, kRows);
    clip.write(index, picture);
    return picture;
  }

  static constexpr int kColumns = 22;
  static constexpr int kRows = 20;

  SeededRandom random;
  MadeClip clip;
};

TEST_F(PictureComplexityTest, BitsFallWithTheQp) {
  clip.noise = 8;
  const SamplePicture first = picture(0), second = picture(1);
  for (const SamplePicture* const before : {static_cast<const SamplePicture*>(nullptr), &first}) {
    const PictureComplexity complexity = picture_complexity(second, before);
    EXPECT_GT(complexity.bits.back(), 0);
    for (std::size_t qp = 1; qp < complexity.bits.size(); ++qp) {
      EXPECT_LE(complexity.bits[qp], complexity.bits[qp - 1]) << qp;
    }
    EXPECT_GT(complexity.bits[0], 10 * complexity.bits[51]);
  }
}

TEST_F(PictureComplexityTest, ARepeatedPictureHasNoResidual) {
  clip.content = MadeContent::kNoise;
  const SamplePicture noise = picture(0);
  const PictureComplexity complexity = picture_complexity(noise, &noise);
  EXPECT_EQ(complexity.residual, 0);
  EXPECT_EQ(complexity.bits[0], complexity.bits[51]);
}

TEST_F(PictureComplexityTest, MotionIsFollowed) {
  clip.speed = 12;  // 3 samples a picture.
  const SamplePicture first = picture(0), second = picture(1);
  const PictureComplexity intra = picture_complexity(second, nullptr);
  const PictureComplexity inter = picture_complexity(second, &first);
  EXPECT_LT(inter.residual, 0.3 * intra.residual);
  EXPECT_LT(inter.bits[20], 0.3 * intra.bits[20]);
}

// A picture of another scene is predicted from itself.
TEST_F(PictureComplexityTest, AnotherSceneIsNotLargerThanAnIntraPicture) {
  clip.cuts = {1};
  const SamplePicture first = picture(0), second = picture(1);
  EXPECT_LE(picture_complexity(second, &first).residual,
            picture_complexity(second, nullptr).residual);
}

// Noise of every sample has a mean difference of 256 / 3 from other noise.
TEST_F(PictureComplexityTest, NoiseIsNotPredicted) {
  clip.content = MadeContent::kNoise;
  const PictureComplexity complexity = picture_complexity(picture(1), nullptr);
  EXPECT_GT(complexity.residual, 55);
  EXPECT_LT(complexity.residual, 90);
  // Each sample has 6 bits and more above a step of 1, at QP 4.
  EXPECT_GT(complexity.bits[4], 5.0 * clip.width * clip.height);
}

TEST_F(PictureComplexityTest, BitsBetweenQpsAreInterpolated) {
  const PictureComplexity complexity = picture_complexity(picture(0), nullptr);
  EXPECT_EQ(complexity.bits_at(30), complexity.bits[30]);
  EXPECT_DOUBLE_EQ(complexity.bits_at(30.5), (complexity.bits[30] + complexity.bits[31]) / 2);
  EXPECT_EQ(complexity.bits_at(-3), complexity.bits[0]);
  EXPECT_EQ(complexity.bits_at(51), complexity.bits[51]);
  EXPECT_EQ(complexity.bits_at(53), complexity.bits[51]);
}

}  // namespace
}  // namespace millrace::h264

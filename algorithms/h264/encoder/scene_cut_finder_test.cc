// SPDX-License-Identifier: Apache-2.0

// Searches for cuts in computed clips that have some, and in those that have none.
#include <millrace/algorithms/h264/encoder/scene_cut_finder.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kPictures = 16;

MadeClip clip_of(SeededRandom& random, MadeContent content = MadeContent::kTexture) {
  MadeClip clip;
  clip.content = content;
  clip.width = 256;
  clip.height = 160;
  clip.seed = random();
  clip.cell = 40;
  clip.noise = 3;
  return clip;
}

// Returns the pictures that begin scenes.
std::vector<int> cuts_of(const MadeClip& clip) {
  SceneCutFinder finder(clip.width / 16, clip.height / 16);
  SamplePicture picture(clip.width / 16, clip.height / 16);
  std::vector<int> cuts;
  for (int i = 0; i < kPictures; ++i) {
    clip.write(i, picture);
    if (finder.begins_scene(picture)) cuts.push_back(i);
  }
  return cuts;
}

TEST(SceneCutFinder, FindsCutsOfTextures) {
  SeededRandom random;
  MadeClip clip = clip_of(random);
  clip.cuts = {3, 5, 11, 15};
  EXPECT_EQ(cuts_of(clip), clip.cuts);
}

// Two textures of 20 points are alike by chance in about one of 50 pairs: such a cut is not seen.
TEST(SceneCutFinder, FindsMostCutsOfSmallPictures) {
  SeededRandom random;
  const int clips = 12;
  int found = 0;
  for (int i = 0; i < clips; ++i) {
    MadeClip clip = clip_of(random);
    clip.width = 96;
    clip.height = 80;
    clip.cell = 24;
    clip.speed = 2;
    clip.cuts = {9};
    const std::vector<int> cuts = cuts_of(clip);
    if (cuts.empty()) continue;
    EXPECT_EQ(cuts, clip.cuts);
    ++found;
  }
  EXPECT_GT(found, clips / 2);
}

TEST(SceneCutFinder, MotionIsNoCut) {
  SeededRandom random;
  for (const int speed : {0, 1, 4, 12, 40}) {
    MadeClip clip = clip_of(random);
    clip.speed = speed;
    EXPECT_TRUE(cuts_of(clip).empty()) << speed << " quarter samples a picture";
  }
}

TEST(SceneCutFinder, FastPansAreNoCuts) {
  SeededRandom random;
  for (const int speed : {60, 200}) {
    MadeClip clip = clip_of(random);
    clip.pans = true;
    clip.speed = speed;
    EXPECT_TRUE(cuts_of(clip).empty()) << speed << " quarter samples a picture";
  }
}

TEST(SceneCutFinder, NoiseIsNoCut) {
  SeededRandom random;
  EXPECT_TRUE(cuts_of(clip_of(random, MadeContent::kNoise)).empty());
  MadeClip clip = clip_of(random);
  clip.noise = 60;
  EXPECT_TRUE(cuts_of(clip).empty());
}

TEST(SceneCutFinder, FadesAreNoCuts) {
  SeededRandom random;
  for (const int fade : {12, 20}) {
    MadeClip clip = clip_of(random);
    clip.fade = fade;
    EXPECT_TRUE(cuts_of(clip).empty()) << fade << " pictures";
  }
}

TEST(SceneCutFinder, FlatPicturesHaveNoCuts) {
  SeededRandom random;
  EXPECT_TRUE(cuts_of(clip_of(random, MadeContent::kFlat)).empty());
}

// A texture that appears at once is a cut where one that fades in is none.
TEST(SceneCutFinder, FindsTheEndOfBlack) {
  SeededRandom random;
  const MadeClip clip = clip_of(random);
  SceneCutFinder finder(clip.width / 16, clip.height / 16);
  SamplePicture picture(clip.width / 16, clip.height / 16);
  picture.fill(16);
  EXPECT_FALSE(finder.begins_scene(picture));
  EXPECT_FALSE(finder.begins_scene(picture));
  clip.write(0, picture);
  EXPECT_TRUE(finder.begins_scene(picture));
  clip.write(1, picture);
  EXPECT_FALSE(finder.begins_scene(picture));
}

// A flash has the structure of the pictures around it.
TEST(SceneCutFinder, FlashesAreNoCuts) {
  SeededRandom random;
  const MadeClip clip = clip_of(random);
  SceneCutFinder finder(clip.width / 16, clip.height / 16);
  SamplePicture picture(clip.width / 16, clip.height / 16);
  for (int i = 0; i < 6; ++i) {
    clip.write(i, picture);
    for (int k = 0; i == 3 && k < clip.width * clip.height; ++k) {
      picture.plane(0)[k] = static_cast<std::uint8_t>(128 + picture.plane(0)[k] / 2);
    }
    EXPECT_FALSE(finder.begins_scene(picture)) << i;
  }
}

}  // namespace
}  // namespace millrace::h264

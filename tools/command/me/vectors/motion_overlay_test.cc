// SPDX-License-Identifier: Apache-2.0

// Compares the drawing of a mode with the same blocks drawn by hand.
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/command/me/vectors/me_test_picture.h>
#include <millrace/tools/command/me/vectors/motion_overlay.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using motion::MacroblockShape;
using motion::MotionVector;
using motion::Precision;
using motion::QuarterShape;

constexpr int kWidth = 80;  // Five macroblocks.
constexpr int kHeight = 16;

class MeOverlayTest : public testing::Test {
 protected:
  MeOverlayTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/clip.yuv") << std::string(kWidth * kHeight * 3 / 2, '\0');
    for (auto& field : picture_.vectors) {
      for (MotionVector& vector : field) vector = {component(), component()};
    }
  }

  std::int16_t component() {
    return static_cast<std::int16_t>(static_cast<int>(random(0, 80)) - 40);
  }

  // The last frame of the overlay of the picture.
  std::string drawn(Precision precision) {
    const std::string path = folder_ + "/overlay.y4m";
    const VideoReader clip(folder_ + "/clip.yuv", {.width = kWidth, .height = kHeight});
    MotionOverlay overlay(path, /*force=*/true, clip, {.precision = precision});
    overlay.add(picture_.view());
    commit_all(overlay.files());
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    return bytes.substr(bytes.find("FRAME\n") + 6);
  }

  // Adds what a partition is drawn as: `x` from the left edge of macroblock `macroblock`.
  void expect(int macroblock, const motion::Partition& area, const MotionVector& vector,
              const Rgb& colour) {
    expected_.push_back({.x = 16 * macroblock + area.x,
                         .y = area.y,
                         .width = area.width,
                         .height = area.height,
                         .vector_x = vector.x / 4.0,
                         .vector_y = vector.y / 4.0,
                         .colour = colour});
  }

  // Returns the vector of partition `partition` in `reference`, counted from 0 as in partition.h.
  MotionVector vector(int macroblock, int partition, int reference) const {
    return picture_.vectors[reference][41 * macroblock + partition];
  }

  std::string expected() {
    VectorOverlay overlay(kWidth, kHeight, false);
    Picture picture;
    convert(overlay.draw(picture_.luma(), expected_), picture);
    std::string samples;
    for (int i = 0; i < Picture::kPlanes; ++i) {
      const PicturePlane plane = picture.plane(i);
      for (int y = 0; y < plane.height; ++y) {
        samples.append(reinterpret_cast<const char*>(plane.row(y)), plane.width);
      }
    }
    return samples;
  }

  const std::string folder_ = testing::TempDir() + "/motion_overlay_test";
  SeededRandom random;
  MeTestPicture picture_{kWidth, kHeight, 2};
  std::vector<OverlayBlock> expected_;
};

TEST_F(MeOverlayTest, EachPartitionHasItsColourAndTheVectorInItsReference) {
  picture_.modes = {
      {.shape = MacroblockShape::k16x16, .references = {1, 1, 1, 1}},
      {.shape = MacroblockShape::k16x8, .references = {0, 0, 1, 1}},
      {.shape = MacroblockShape::k8x16, .references = {1, 0, 1, 0}},
      {.shape = MacroblockShape::k8x8,
       .quarters = {QuarterShape::k8x8, QuarterShape::k8x4, QuarterShape::k4x8, QuarterShape::k4x4},
       .references = {0, 1, 0, 1}},
      {.shape = MacroblockShape::kSkip}};
  picture_.predictors[4] = {13, -7};
  expect(0, {0, 0, 16, 16}, vector(0, 0, 1), {0, 114, 178});
  expect(1, {0, 0, 16, 8}, vector(1, 1, 0), {86, 180, 233});
  expect(1, {0, 8, 16, 8}, vector(1, 2, 1), {86, 180, 233});
  expect(2, {0, 0, 8, 16}, vector(2, 3, 1), {0, 158, 115});
  expect(2, {8, 0, 8, 16}, vector(2, 4, 0), {0, 158, 115});
  expect(3, {0, 0, 8, 8}, vector(3, 5, 0), {240, 228, 66});
  expect(3, {8, 0, 8, 4}, vector(3, 10, 1), {230, 159, 0});
  expect(3, {8, 4, 8, 4}, vector(3, 12, 1), {230, 159, 0});
  expect(3, {0, 8, 4, 8}, vector(3, 21, 0), {213, 94, 0});
  expect(3, {4, 8, 4, 8}, vector(3, 22, 0), {213, 94, 0});
  expect(3, {8, 8, 4, 4}, vector(3, 35, 1), {204, 121, 167});
  expect(3, {12, 8, 4, 4}, vector(3, 36, 1), {204, 121, 167});
  expect(3, {8, 12, 4, 4}, vector(3, 39, 1), {204, 121, 167});
  expect(3, {12, 12, 4, 4}, vector(3, 40, 1), {204, 121, 167});
  expect(4, {0, 0, 16, 16}, {13, -7}, {255, 255, 255});
  EXPECT_TRUE(drawn(Precision::kQuarter) == expected());
}

TEST_F(MeOverlayTest, SkippedMacroblocksMoveByWholeSamplesWhereVectorsDo) {
  picture_.modes.assign(5, {.shape = MacroblockShape::kSkip});
  picture_.predictors.assign(5, {13, -7});
  for (int i = 0; i < 5; ++i) expect(i, {0, 0, 16, 16}, {12, -8}, {255, 255, 255});
  EXPECT_TRUE(drawn(Precision::kInteger) == expected());
}

TEST_F(MeOverlayTest, APictureWithoutModesIsAsItIs) {
  picture_.modes.clear();
  EXPECT_TRUE(drawn(Precision::kQuarter) == expected());
}

}  // namespace
}  // namespace millrace::tools

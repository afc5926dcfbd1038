// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/canvas/vector_overlay.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::tools {
namespace {

constexpr Rgb kRed = {255, 0, 0};

Picture picture_of(int width, int height, std::uint8_t sample) {
  Picture picture(width, height);
  const PicturePlane luma = picture.plane(0);
  for (int y = 0; y < luma.padded_height; ++y) {
    for (int x = 0; x < luma.padded_width; ++x) luma.row(y)[x] = sample;
  }
  return picture;
}

bool is_grey(const Rgb& pixel) { return pixel.red == pixel.green && pixel.green == pixel.blue; }

TEST(VectorOverlayTest, SmallPicturesAreEnlarged) {
  EXPECT_EQ(VectorOverlay(176, 144, false).scale(), 4);
  EXPECT_EQ(VectorOverlay(640, 480, false).scale(), 3);
  EXPECT_EQ(VectorOverlay(1920, 1080, false).scale(), 1);
  EXPECT_EQ(VectorOverlay(640, 480, false).width(), 1920);
  EXPECT_EQ(VectorOverlay(640, 480, false).height(), 1440);
}

TEST(VectorOverlayTest, HighPicturesStayOfASizeThatAVideoMayHave) {
  EXPECT_EQ(VectorOverlay(64, 8192, false).scale(), 4);
  EXPECT_EQ(VectorOverlay(64, 10'000, false).scale(), 3);
  EXPECT_EQ(VectorOverlay(1, 32'768, false).scale(), 1);
  const VectorOverlay overlay(16, 10'000, false);
  EXPECT_NO_THROW(Picture(overlay.width(), overlay.height()));
}

TEST(VectorOverlayTest, ThePictureIsGreyAndASampleIsASquare) {
  Picture picture = picture_of(32, 16, 235);
  picture.plane(0).row(1)[2] = 16;
  VectorOverlay overlay(32, 16, false);
  const RgbCanvas& drawn = overlay.draw(picture.plane(0), {});
  const int scale = overlay.scale();
  for (const Rgb& pixel : drawn.pixels()) EXPECT_TRUE(is_grey(pixel));
  EXPECT_EQ(drawn.at(2 * scale, scale), Rgb());
  EXPECT_EQ(drawn.at(3 * scale - 1, 2 * scale - 1), Rgb());
  EXPECT_GT(drawn.at(3 * scale, scale).red, 150);
  EXPECT_GT(drawn.at(2 * scale, scale - 1).red, 150);
}

TEST(VectorOverlayTest, TheFullRangeOfSamplesIsShownWhereTheyUseIt) {
  const Picture picture = picture_of(16, 16, 16);
  EXPECT_EQ(VectorOverlay(16, 16, false).draw(picture.plane(0), {}).at(0, 0), Rgb());
  EXPECT_GT(VectorOverlay(16, 16, true).draw(picture.plane(0), {}).at(0, 0).red, 0);
}

TEST(VectorOverlayTest, ABlockHasAnOutlineADotAndItsVector) {
  const Picture picture = picture_of(64, 32, 100);
  VectorOverlay overlay(64, 32, false);
  const OverlayBlock block = {
      .x = 8, .y = 8, .width = 8, .height = 16, .vector_x = 20.25, .vector_y = 0, .colour = kRed};
  const RgbCanvas& drawn = overlay.draw(picture.plane(0), {&block, 1});
  const int scale = overlay.scale();
  EXPECT_FALSE(is_grey(drawn.at(8 * scale, 8 * scale)));
  EXPECT_FALSE(is_grey(drawn.at(16 * scale - 1, 24 * scale - 1)));
  EXPECT_TRUE(is_grey(drawn.at(8 * scale - 1, 8 * scale)));
  EXPECT_TRUE(is_grey(drawn.at(10 * scale, 10 * scale)));
  EXPECT_EQ(drawn.at(12 * scale, 16 * scale), kRed);
  EXPECT_FALSE(is_grey(drawn.at(24 * scale, 16 * scale)));
  EXPECT_FALSE(is_grey(drawn.at(32 * scale, 16 * scale)));
  EXPECT_TRUE(is_grey(drawn.at(34 * scale, 16 * scale)));
}

TEST(VectorOverlayTest, NothingOfThePictureBeforeIsLeft) {
  const Picture picture = picture_of(16, 16, 100);
  VectorOverlay overlay(16, 16, false);
  const OverlayBlock block = {.width = 16, .height = 16, .vector_x = -3, .colour = kRed};
  overlay.draw(picture.plane(0), {&block, 1});
  for (const Rgb& pixel : overlay.draw(picture.plane(0), {}).pixels()) EXPECT_TRUE(is_grey(pixel));
}

TEST(VectorOverlayTest, BlocksOfThePaddingAreCutAtTheVisibleEdge) {
  const Picture picture = picture_of(10, 10, 100);
  VectorOverlay overlay(10, 10, false);
  const OverlayBlock block = {.width = 16, .height = 16, .vector_x = 500, .colour = kRed};
  const RgbCanvas& drawn = overlay.draw(picture.plane(0), {&block, 1});
  EXPECT_EQ(drawn.width(), 10 * overlay.scale());
  EXPECT_FALSE(is_grey(drawn.at(0, drawn.height() - 1)));
  EXPECT_TRUE(is_grey(drawn.at(drawn.width() - 1, 1)));
}

}  // namespace
}  // namespace millrace::tools

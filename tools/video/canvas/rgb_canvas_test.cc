// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr Rgb kWhite = {255, 255, 255};
constexpr Rgb kBlack;

// Returns the amount of white on a black canvas, in pixels.
double white_of(const RgbCanvas& canvas) {
  double sum = 0;
  for (const Rgb& pixel : canvas.pixels()) sum += pixel.green / 255.0;
  return sum;
}

TEST(RgbCanvasTest, BlendMixesTheRequestedFraction) {
  RgbCanvas canvas(2, 1);
  canvas.blend(1, 0, {200, 100, 0}, 0.25);
  EXPECT_EQ(canvas.at(0, 0), kBlack);
  EXPECT_EQ(canvas.at(1, 0), (Rgb{50, 25, 0}));
  canvas.blend(1, 0, kWhite, 1);
  EXPECT_EQ(canvas.at(1, 0), kWhite);
}

TEST(RgbCanvasTest, AnOutlineIsTheEdgeInside) {
  RgbCanvas canvas(6, 5);
  canvas.outline(1, 1, 4, 3, kWhite, 1);
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 6; ++x) {
      const bool is_inside = x >= 1 && x <= 4 && y >= 1 && y <= 3;
      const bool is_edge = is_inside && (x == 1 || x == 4 || y == 1 || y == 3);
      EXPECT_EQ(canvas.at(x, y), is_edge ? kWhite : kBlack) << x << ", " << y;
    }
  }
}

TEST(RgbCanvasTest, NoPixelOfAnOutlineIsMixedTwice) {
  for (const auto& [width, height] : {std::pair(1, 1), {1, 3}, {3, 1}, {2, 2}}) {
    RgbCanvas canvas(5, 5);
    canvas.outline(1, 1, width, height, kWhite, 0.5);
    for (int y = 1; y <= height; ++y) EXPECT_EQ(canvas.at(1, y).red, 128);
    for (int x = 1; x <= width; ++x) EXPECT_EQ(canvas.at(x, height).red, 128);
  }
}

TEST(RgbCanvasTest, ALineAlongPixelsCoversThem) {
  RgbCanvas canvas(9, 3);
  canvas.line({2.5, 1.5}, {6.5, 1.5}, 1, kWhite);
  for (int x = 3; x <= 5; ++x) EXPECT_EQ(canvas.at(x, 1), kWhite);
  for (int x = 3; x <= 5; ++x) EXPECT_EQ(canvas.at(x, 0), kBlack);
  EXPECT_EQ(canvas.at(0, 1), kBlack);
  EXPECT_EQ(canvas.at(8, 1), kBlack);
}

TEST(RgbCanvasTest, ALineHasTheSameWeightInEveryDirectionAndEitherWay) {
  constexpr double kLength = 40;
  constexpr double kThickness = 2;
  constexpr double kEnds = std::numbers::pi * kThickness * kThickness / 4;
  SeededRandom random;
  for (int i = 0; i < 50; ++i) {
    const double angle = static_cast<double>(random(0, 62'831)) / 10'000;
    const CanvasPoint from = {50, 50};
    const CanvasPoint to = {50 + kLength * std::cos(angle), 50 + kLength * std::sin(angle)};
    RgbCanvas canvas(100, 100);
    canvas.line(from, to, kThickness, kWhite);
    EXPECT_NEAR(white_of(canvas), kLength * kThickness + kEnds, 3) << angle;
    RgbCanvas back(100, 100);
    back.line(to, from, kThickness, kWhite);
    EXPECT_NEAR(white_of(back), white_of(canvas), 0.5) << angle;
  }
}

TEST(RgbCanvasTest, ALineOfNoLengthIsADot) {
  RgbCanvas canvas(9, 9);
  canvas.line({4.5, 4.5}, {4.5, 4.5}, 3, kWhite);
  EXPECT_EQ(canvas.at(4, 4), kWhite);
  EXPECT_NEAR(white_of(canvas), std::numbers::pi * 9 / 4, 0.5);
}

TEST(RgbCanvasTest, WhatIsOutsideIsLeftOut) {
  RgbCanvas canvas(4, 4);
  canvas.line({-1000, -800}, {1000, 1200}, 3, kWhite);  // Goes from the left to the lower edge.
  canvas.line({10, 10}, {20, 30}, 3, kWhite);
  canvas.outline(-5, 2, 100, 50, kWhite, 1);
  EXPECT_EQ(canvas.at(3, 2), kWhite);
  EXPECT_EQ(canvas.at(3, 0), kBlack);
}

TEST(RgbCanvasTest, GreysAreLumaAlone) {
  RgbCanvas canvas(3, 3);
  canvas.set(0, 0, kWhite);
  canvas.set(1, 0, {128, 128, 128});
  Picture picture;
  convert(canvas, picture);
  EXPECT_EQ(picture.plane(0).row(0)[0], 235);
  EXPECT_EQ(picture.plane(0).row(0)[1], 126);
  EXPECT_EQ(picture.plane(0).row(2)[2], 16);
  for (const int chroma : {1, 2}) {
    EXPECT_EQ(picture.plane(chroma).row(0)[0], 128);
    EXPECT_EQ(picture.plane(chroma).row(1)[1], 128);
  }
}

TEST(RgbCanvasTest, PrimariesAreThoseOfTheStandard) {
  const auto converted = [](const Rgb& colour) {
    RgbCanvas canvas(1, 1);
    canvas.set(0, 0, colour);
    Picture picture;
    convert(canvas, picture);
    return std::array{picture.plane(0).row(0)[0], picture.plane(1).row(0)[0],
                      picture.plane(2).row(0)[0]};
  };
  EXPECT_EQ(converted({255, 0, 0}), (std::array<std::uint8_t, 3>{81, 90, 240}));
  EXPECT_EQ(converted({0, 255, 0}), (std::array<std::uint8_t, 3>{145, 54, 34}));
  EXPECT_EQ(converted({0, 0, 255}), (std::array<std::uint8_t, 3>{41, 240, 110}));
}

TEST(RgbCanvasTest, APngHasThePixels) {
  RgbCanvas canvas(7, 5);
  canvas.line({0, 0}, {7, 5}, 2, {10, 200, 90});
  std::ostringstream stream;
  write_png(canvas, stream);
  const std::string bytes = stream.str();

  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.width, 7U);
  EXPECT_EQ(image.height, 5U);
  image.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(PNG_IMAGE_SIZE(image) / sizeof(Rgb));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_TRUE(std::ranges::equal(pixels, canvas.pixels()));
}

}  // namespace
}  // namespace millrace::tools

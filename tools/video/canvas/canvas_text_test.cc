// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/canvas/canvas_text.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::tools {
namespace {

constexpr Rgb kWhite{255, 255, 255};
constexpr int kBase = 24;

// Box of all pixels that are not black.
struct Ink {
  int left = 1000, top = 1000, right = -1, bottom = -1;

  bool is_none() const { return right < 0; }
};

Ink ink_of(const RgbCanvas& canvas) {
  Ink ink;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      if (canvas.at(x, y) == Rgb{}) continue;
      ink.left = std::min(ink.left, x);
      ink.right = std::max(ink.right, x);
      ink.top = std::min(ink.top, y);
      ink.bottom = std::max(ink.bottom, y);
    }
  }
  return ink;
}

Ink ink_of(const char* text, double x = 10) {
  RgbCanvas canvas(120, 40);
  draw_text(canvas, x, kBase, text, kWhite);
  return ink_of(canvas);
}

TEST(CanvasText, StandsOnTheBaseLine) {
  const Ink capital = ink_of("H");
  EXPECT_EQ(capital.bottom, kBase - 1);
  // Capitals of DejaVu Sans are 0.73 of its size high.
  EXPECT_NEAR(kBase - capital.top, 0.73 * kTextPixels, 1);
  EXPECT_GE(ink_of("p").bottom, kBase + 2);
}

TEST(CanvasText, ReachesFromItsBeginningOverItsWidth) {
  const Ink ink = ink_of("HHHH");
  EXPECT_NEAR(ink.left, 10 + 1.5, 1.5);
  EXPECT_NEAR(ink.right, 10 + text_width("HHHH") - 2, 2);
  EXPECT_NEAR(text_width("HHHH"), 4 * text_width("H"), 1e-9);
  EXPECT_EQ(ink_of("H", 50).left - ink_of("H", 10).left, 40);
}

TEST(CanvasText, HasWiderAndNarrowerLetters) { EXPECT_GT(text_width("mm"), 2 * text_width("ii")); }

TEST(CanvasText, IsNothingForSpacesAndNoText) {
  EXPECT_TRUE(ink_of("").is_none());
  EXPECT_TRUE(ink_of("   ").is_none());
  EXPECT_EQ(text_width(""), 0);
  EXPECT_GT(text_width(" "), 0);
}

TEST(CanvasText, TakesUtf8) {
  EXPECT_LT(ink_of("Ä").top, ink_of("A").top);
  EXPECT_EQ(text_width("Ä"), text_width("A"));
}

TEST(CanvasText, TakesWhatIsNoUtf8) { EXPECT_GT(text_width("a\xc3"), text_width("a")); }

TEST(CanvasText, IsInItsColour) {
  RgbCanvas canvas(40, 40);
  draw_text(canvas, 4, 30, "|", {200, 100, 50});
  const Ink ink = ink_of(canvas);
  const Rgb pixel = canvas.at((ink.left + ink.right) / 2, (ink.top + ink.bottom) / 2);
  EXPECT_GT(pixel.red, pixel.green);
  EXPECT_GT(pixel.green, pixel.blue);
  EXPECT_LE(pixel.red, 200);
}

TEST(CanvasText, BeyondTheCanvasIsCutOff) {
  RgbCanvas canvas(10, 10);
  draw_text(canvas, -5, 5, "wide text", kWhite);
  EXPECT_FALSE(ink_of(canvas).is_none());
}

}  // namespace
}  // namespace millrace::tools

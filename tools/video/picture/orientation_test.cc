// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/picture/orientation.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

constexpr std::int32_t kOne = 0x10000;

DisplayMatrix matrix(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
  return {{a, b, 0, c, d, 0, 0, 0, 0x40000000}};
}

// Two columns and three rows, "ab", "cd", "ef".
std::string shown(const Orientation& orientation) {
  Picture stored(2, 3);
  for (int i = 0; i < 6; ++i) {
    stored.plane(0).row(i / 2)[i % 2] = static_cast<std::uint8_t>("abcdef"[i]);
  }
  for (const int chroma : {1, 2}) {
    for (int y = 0; y < 2; ++y) stored.plane(chroma).row(y)[0] = "xy"[y];
  }
  Picture picture;
  orient(stored, orientation, picture);
  std::string text;
  for (int y = 0; y < picture.height(); ++y) {
    if (y > 0) text += '/';
    for (int x = 0; x < picture.width(); ++x) text += static_cast<char>(picture.plane(0).row(y)[x]);
  }
  return text;
}

TEST(OrientationTest, TurnsAndFlipsAsTheMatrixSays) {
  const struct {
    DisplayMatrix matrix;
    const char* shown;
    const char* text;
  } kCases[] = {
      {matrix(kOne, 0, 0, kOne), "ab/cd/ef", ""},
      {matrix(0, 0, 0, 0), "ab/cd/ef", ""},
      {matrix(0, kOne, -kOne, 0), "eca/fdb", "rotated by 90 degrees"},
      {matrix(-kOne, 0, 0, -kOne), "fe/dc/ba", "rotated by 180 degrees"},
      {matrix(0, -kOne, kOne, 0), "bdf/ace", "rotated by 270 degrees"},
      {matrix(-kOne, 0, 0, kOne), "ba/dc/fe", "flipped left to right"},
      {matrix(kOne, 0, 0, -kOne), "ef/cd/ab", "flipped upside down"},
      {matrix(0, kOne, kOne, 0), "ace/bdf", "rotated by 90 degrees and flipped left to right"},
      {matrix(0, -kOne, -kOne, 0), "fdb/eca", "rotated by 90 degrees and flipped upside down"},
      {matrix(0, 2 * kOne, -2 * kOne, 0), "eca/fdb", "rotated by 90 degrees"},
  };
  for (const auto& [matrix, picture, text] : kCases) {
    EXPECT_EQ(shown(matrix.orientation()), picture);
    EXPECT_EQ(matrix.orientation().text(), text);
  }
}

TEST(OrientationTest, TurnsChromaToo) {
  Picture stored(4, 2);
  stored.plane(1).row(0)[0] = 'l';
  stored.plane(1).row(0)[1] = 'r';
  Picture picture;
  orient(stored, matrix(0, kOne, -kOne, 0).orientation(), picture);
  EXPECT_EQ(picture.plane(1).width, 1);
  EXPECT_EQ(picture.plane(1).row(0)[0], 'l');
  EXPECT_EQ(picture.plane(1).row(1)[0], 'r');
}

TEST(OrientationTest, PadsWhatItTurned) {
  Picture picture;
  orient(Picture(2, 3), {.transposes = true}, picture);
  EXPECT_EQ(picture.plane(0).row(15)[15], picture.plane(0).row(1)[2]);
}

TEST(OrientationTest, OtherAnglesAreLeft) {
  const DisplayMatrix half = matrix(46341, 46341, -46341, 46341);
  EXPECT_FALSE(half.is_orthogonal());
  EXPECT_EQ(half.degrees(), 45);
  EXPECT_TRUE(half.orientation().is_upright());
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture/picture.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace millrace::tools {
namespace {

TEST(PictureTest, PadsEveryPlaneToWholeMacroblocks) {
  const Picture picture(1920, 1080);
  EXPECT_EQ(picture.macroblock_columns(), 120);
  EXPECT_EQ(picture.macroblock_rows(), 68);
  EXPECT_EQ(picture.plane(0).padded_height, 1088);
  EXPECT_EQ(picture.plane(1).width, 960);
  EXPECT_EQ(picture.plane(1).height, 540);
  EXPECT_EQ(picture.plane(2).padded_width, 960);
  EXPECT_EQ(picture.plane(2).padded_height, 544);
}

TEST(PictureTest, RoundsOddChromaUp) {
  const Picture picture(177, 1);
  EXPECT_EQ(picture.plane(1).width, 89);
  EXPECT_EQ(picture.plane(1).height, 1);
  EXPECT_EQ(picture.plane(1).padded_width, 96);
}

TEST(PictureTest, AlignsEveryRow) {
  const Picture picture(100, 20);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const ConstPicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.padded_height; ++y) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.row(y)) % 64, 0U);
    }
  }
}

TEST(PictureTest, RepeatsTheLastColumnAndRow) {
  Picture picture(17, 18);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = 16 * i + 3 * y + x;
    }
  }
  picture.pad();
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.padded_height; ++y) {
      for (int x = 0; x < plane.padded_width; ++x) {
        const int expected =
            16 * i + 3 * std::min(y, plane.height - 1) + std::min(x, plane.width - 1);
        ASSERT_EQ(plane.row(y)[x], expected) << "plane " << i << " at " << x << "," << y;
      }
    }
  }
}

TEST(PictureTest, KeepsItsMemoryWhenTheSizeStays) {
  Picture picture(64, 64);
  picture.plane(0).row(5)[7] = 99;
  const std::uint8_t* before = picture.plane(0).data;
  picture.resize(64, 64);
  EXPECT_EQ(picture.plane(0).data, before);
  EXPECT_EQ(picture.plane(0).row(5)[7], 99);
}

TEST(PictureTest, RejectsAnImpossibleSize) {
  EXPECT_THROW(Picture(0, 16), Error);
  EXPECT_THROW(Picture(16, -1), Error);
  EXPECT_THROW(Picture(Picture::kMaxSize + 1, 16), Error);
}

TEST(PictureTest, WithoutASizeHasNoSamples) {
  Picture picture;
  EXPECT_EQ(picture.width(), 0);
  EXPECT_EQ(picture.plane(0).data, nullptr);
  picture.pad();
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace millrace::tools {
namespace {

// Each sample states its position.
MotionClip numbered_clip(int width, int height) {
  MotionClip clip{"numbers", {}};
  Picture& picture = clip.pictures.emplace_back(width, height);
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const PicturePlane plane = picture.plane(index);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) {
        plane.row(y)[x] = static_cast<std::uint8_t>(16 * y + x);
      }
    }
  }
  return clip;
}

TEST(MiddleOf, CutsTheMiddleOut) {
  const MotionClip middle = middle_of(numbered_clip(48, 32), 16, 16);
  EXPECT_EQ(middle.size(), "16x16");
  const ConstPicturePlane luma = std::as_const(middle.pictures[0]).plane(0);
  EXPECT_EQ(luma.row(0)[0], static_cast<std::uint8_t>(16 * 8 + 16));
  EXPECT_EQ(luma.row(15)[15], static_cast<std::uint8_t>(16 * 23 + 31));
  const ConstPicturePlane chroma = std::as_const(middle.pictures[0]).plane(1);
  EXPECT_EQ(chroma.row(0)[0], static_cast<std::uint8_t>(16 * 4 + 8));
  EXPECT_EQ(middle_of(numbered_clip(48, 32), 64, 64).size(), "48x32");
}

TEST(MotionPaperInput, IsATextureOfTheSize) {
  const auto device = open_device("tbb");
  for (const MotionPaperSize& size : kMotionPaperSizes) {
    if (size.macroblocks > 200) continue;
    const MotionPaperInput input = motion_paper_input(device, kMotionTexture, size.macroblocks);
    EXPECT_EQ(input.clip.pictures.size(), size.pictures);
    EXPECT_EQ(input.clip.pictures[0].width(), size.width);
    EXPECT_EQ(input.values().at(kPictureHeight), size.height);
    EXPECT_EQ(input.values().at(kSourceWidth), size.format_width);
    EXPECT_EQ(input.range, size.range);
  }
}

TEST(MotionPaperInput, SizesAreNumbersOfMacroblocks) {
  for (const MotionPaperSize& size : kMotionPaperSizes) {
    const int columns = (size.width + 15) / 16;
    const int rows = (size.height + 15) / 16;
    EXPECT_EQ(size.macroblocks, static_cast<std::uint64_t>(columns * rows));
  }
}

}  // namespace
}  // namespace millrace::tools

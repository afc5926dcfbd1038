// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/motion/motion_inputs.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <millrace/runtime/core/backend.h>

namespace millrace::tools {
namespace {

// Each sample tells its place.
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

TEST(MotionFormats, AreTheNearest) {
  EXPECT_EQ(format_of(352, 288).width, 640);
  EXPECT_EQ(format_of(960, 540).width, 640);  // 1.7 times as many, and 1280x720 has 1.8.
  EXPECT_EQ(format_of(1280, 720).width, 1280);
  EXPECT_EQ(format_of(3840, 2160).width, 1920);
}

TEST(MotionInputs, CutsTheMiddleOut) {
  const MotionClip middle = middle_of(numbered_clip(48, 32), 16, 16);
  EXPECT_EQ(middle.size(), "16x16");
  const ConstPicturePlane luma = std::as_const(middle.pictures[0]).plane(0);
  EXPECT_EQ(luma.row(0)[0], static_cast<std::uint8_t>(16 * 8 + 16));
  EXPECT_EQ(luma.row(15)[15], static_cast<std::uint8_t>(16 * 23 + 31));
  const ConstPicturePlane chroma = std::as_const(middle.pictures[0]).plane(1);
  EXPECT_EQ(chroma.row(0)[0], static_cast<std::uint8_t>(16 * 4 + 8));
  EXPECT_EQ(middle_of(numbered_clip(48, 32), 64, 64).size(), "48x32");
}

TEST(MotionInputs, HaveLabelsOfTheirOwn) {
  std::vector<MotionClip> inputs(4, numbered_clip(16, 16));
  inputs[2].name = std::string(27, 'a') + "\u00e4b";  // Whose 28th and 29th bytes are a letter.
  inputs[3].name = std::string(26, 'a') + "\u00e4b";
  label_inputs(inputs);
  EXPECT_EQ(inputs[0].name, "numbers, 16x16");
  EXPECT_EQ(inputs[1].name, "numbers, 16x16 (2)");
  EXPECT_EQ(inputs[2].name, std::string(27, 'a') + ", 16x16");
  EXPECT_EQ(inputs[3].name, std::string(26, 'a') + "\u00e4, 16x16");
}

TEST(MotionInputs, AreTexturesWithoutClips) {
  ReproduceOptions options;
  options.device = open_device("tbb");
  options.scale = Scale::kTiny;
  const MotionInputs inputs(options);
  const auto clips = inputs.of(kMotionFormats[1]);
  ASSERT_EQ(clips.size(), 1u);
  EXPECT_EQ(clips[0].name, "texture, 64x48");
  EXPECT_TRUE(inputs.are_textures(kMotionFormats[1]));
  ASSERT_EQ(clips[0].pictures.size(), 2u);
  const auto rows = [&](int picture) {
    const ConstPicturePlane plane = std::as_const(clips[0].pictures[picture]).plane(0);
    return std::vector<std::uint8_t>(plane.row(7), plane.row(7) + plane.width);
  };
  EXPECT_NE(rows(0), rows(1));  // It moves.
}

}  // namespace
}  // namespace millrace::tools

// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/reproduce/motion/motion_rows.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

Measurement measured(const std::string& input, std::uint64_t size, double width, double height,
                     double source_width, double source_height) {
  Measurement measurement;
  measurement.workload = "motion-paper";
  measurement.input = input;
  measurement.size = size;
  measurement.device = "tbb";
  measurement.strategy = "resident";
  measurement.seconds = {1};
  measurement.median_seconds = 1;
  measurement.values = {{kPictureWidth, width},
                        {kPictureHeight, height},
                        {kSourceWidth, source_width},
                        {kSourceHeight, source_height},
                        {kSearchRange, 32}};
  return measurement;
}

std::vector<MotionRow> rows_of(const std::vector<Measurement>& measurements,
                               const MotionFormat& format) {
  Results results;
  results.devices.emplace_back().name = "tbb";
  results.measurements = measurements;
  return motion_rows(MeasuredDevice(results, "tbb"), "motion-paper", "resident", format);
}

TEST(MotionFormats, AreTheNearest) {
  EXPECT_EQ(format_of(352, 288).width, 640);
  EXPECT_EQ(format_of(960, 540).width, 640);  // 1.7 times as many, and 1280x720 has 1.8.
  EXPECT_EQ(format_of(1280, 720).width, 1280);
  EXPECT_EQ(format_of(3840, 2160).width, 1920);
}

TEST(MotionRows, HaveLabelsOfTheirOwn) {
  std::vector<MotionRow> rows(4, {"", "numbers", 0});
  rows[2].input = std::string(27, 'a') + "\u00e4b";  // Its 28th and 29th bytes are one letter.
  rows[3].input = std::string(26, 'a') + "\u00e4b";
  label_rows(rows, std::vector<std::string>(4, "16x16"));
  EXPECT_EQ(rows[0].label, "numbers, 16x16");
  EXPECT_EQ(rows[1].label, "numbers, 16x16 (2)");
  EXPECT_EQ(rows[2].label, std::string(27, 'a') + ", 16x16");
  EXPECT_EQ(rows[3].label, std::string(26, 'a') + "\u00e4, 16x16");
}

TEST(MotionRows, AreClipsOfTheFormatOrItsLargestTexture) {
  const std::vector<Measurement> all = {measured(kMotionTexture, 405, 432, 240, 1280, 720),
                                        measured(kMotionTexture, 3600, 1280, 720, 1280, 720),
                                        measured(kMotionTexture, 1200, 640, 480, 640, 480),
                                        measured("hd.mp4", 0, 1280, 720, 1280, 720)};
  const auto with_clip = rows_of(all, kMotionFormats[1]);
  ASSERT_EQ(with_clip.size(), 1u);
  EXPECT_EQ(with_clip[0].label, "hd.mp4, 1280x720");
  EXPECT_FALSE(with_clip[0].is_cut);
  EXPECT_FALSE(are_textures(with_clip));
  const auto texture = rows_of({all[0], all[1]}, kMotionFormats[1]);
  ASSERT_EQ(texture.size(), 1u);
  EXPECT_EQ(texture[0].size, 3600u);
  EXPECT_TRUE(are_textures(texture));
  EXPECT_TRUE(rows_of({all[0]}, kMotionFormats[1])[0].is_cut);
  EXPECT_TRUE(rows_of(all, kMotionFormats[2]).empty());
}

TEST(MotionRows, AreTheSmallestTextureWhereThereIsNoOther) {
  for (const MotionFormat& format : kMotionFormats) {
    const auto rows = rows_of({measured(kMotionTexture, 12, 64, 48, 640, 480)}, format);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].label, "texture, 64x48");
  }
}

}  // namespace
}  // namespace millrace::tools

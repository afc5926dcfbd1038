// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/raw/raw_size.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

std::string found(const std::string& path) {
  const auto size = raw_size_from_name(path);
  return size ? std::to_string(size->width) + " by " + std::to_string(size->height) : "none";
}

TEST(RawSizeTest, ReadsTheSizeInTheName) {
  EXPECT_EQ(found("foreman_cif_352x288_2f_raw.yuv"), "352 by 288");
  EXPECT_EQ(found("/data/640x480/176X144.yuv"), "176 by 144");
  EXPECT_EQ(found("a-1920x1080.yuv"), "1920 by 1080");
}

TEST(RawSizeTest, TakesTheLastOfSeveral) {
  EXPECT_EQ(found("from_1920x1080_to_352x288.yuv"), "352 by 288");
}

TEST(RawSizeTest, TakesNothingElseForASize) {
  EXPECT_EQ(found("clip.yuv"), "none");
  EXPECT_EQ(found("352x288/clip.yuv"), "none");
  EXPECT_EQ(found("0x288.yuv"), "none");
  EXPECT_EQ(found("id0x12f.yuv"), "none");
  EXPECT_EQ(found("123456x7.yuv"), "none");
}

}  // namespace
}  // namespace millrace::tools

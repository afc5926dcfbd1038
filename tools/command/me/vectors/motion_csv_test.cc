// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/me/vectors/me_test_picture.h>
#include <millrace/tools/command/me/vectors/motion_csv.h>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::vector<std::string> lines_of(MeTestPicture& picture, int references) {
  std::ostringstream out;
  MotionCsv csv(out, picture.view().macroblocks_per_row(), references);
  csv.write(picture.view().motion);
  std::vector<std::string> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(MeCsvTest, EveryPartitionOfEveryMacroblockHasALine) {
  MeTestPicture picture(48, 32);
  picture.motion.index = 12;
  const std::size_t position = motion::MotionField::index(4, 10);  // The second 8x4 of (1, 1).
  picture.vectors[0][position] = {-7, 300};
  picture.costs[0][position] = 4'000'000'000;
  const auto lines = lines_of(picture, 1);
  ASSERT_EQ(lines.size(), 1U + 6 * 41);
  EXPECT_EQ(lines[0], "frame,mb_x,mb_y,partition,index,mv_x,mv_y,cost");
  EXPECT_EQ(lines[1], "12,0,0,16x16,0,0,0,0");
  EXPECT_EQ(lines[1 + position], "12,1,1,8x4,1,-7,300,4000000000");
  EXPECT_EQ(lines.back(), "12,2,1,4x4,15,0,0,0");
}

TEST(MeCsvTest, SeveralReferencesHaveAColumn) {
  MeTestPicture picture(16, 16, 2);
  picture.vectors[1][0] = {4, -8};
  const auto lines = lines_of(picture, 2);
  ASSERT_EQ(lines.size(), 1U + 2 * 41);
  EXPECT_TRUE(lines[0].ends_with(",cost,reference"));
  EXPECT_EQ(lines[1], "1,0,0,16x16,0,0,0,0,0");
  EXPECT_EQ(lines[1 + 41], "1,0,0,16x16,0,4,-8,0,1");
}

TEST(MeCsvTest, TheFirstPictureHasNoLine) {
  MeTestPicture picture(16, 16, 0);
  EXPECT_EQ(lines_of(picture, 1).size(), 1U);
}

}  // namespace
}  // namespace millrace::tools

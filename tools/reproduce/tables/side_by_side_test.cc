// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/side_by_side.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const SideBySide& table) {
  std::vector<std::string> all;
  for (const SideBySide::Row& row : table.rows) all.push_back(row.label);
  return all;
}

TEST(SideBySide, HasThePapersFiguresLeftOfOurs) {
  const DataTable paper{"keys", {{"time", "ms", 1}, {"drawn", "ms", 1}}, {{"100", {5, {}}}}, {}};
  const DataTable here{"keys",
                       {{"time", "ms", 1}, {"drawn", "ms", 1}, {"own", "", 0}},
                       {{"10", {1, 2, 3}}, {"100", {4, 5, {}}}},
                       {}};
  const SideBySide both = side_by_side(paper, here);
  ASSERT_EQ(both.heads.size(), 4u);
  EXPECT_EQ(both.heads[0].source, "paper");
  EXPECT_EQ(both.heads[1].source, "here");
  EXPECT_EQ(both.heads[2].column, "drawn");
  EXPECT_EQ(both.heads[2].source, "here");
  EXPECT_THAT(labels(both), ElementsAre("10", "100"));
  EXPECT_THAT(both.rows[0].cells, ElementsAre("", "1.0", "2.0", "3"));
  EXPECT_THAT(both.rows[1].cells, ElementsAre("5.0", "4.0", "5.0", ""));
}

TEST(SideBySide, PutsSizesInOrderBehindWords) {
  const DataTable paper{"n", {{"x", "", 0}}, {{"1000", {1}}, {"stated", {2}}}, {}};
  const DataTable here{"n", {{"x", "", 0}}, {{"50", {1}}, {"200", {1}}}, {}};
  EXPECT_THAT(labels(side_by_side(paper, here)), ElementsAre("stated", "50", "200", "1000"));
}

TEST(SideBySide, KeepsALastRowOfBothLast) {
  const DataTable paper{"clip", {{"x", "", 0}}, {{"Coral", {1}}, {"mean", {2}}}, {}};
  const DataTable here{"clip", {{"x", "", 0}}, {{"ours", {1}}, {"mean", {1}}}, {}};
  EXPECT_THAT(labels(side_by_side(paper, here)), ElementsAre("Coral", "ours", "mean"));
}

TEST(SideBySide, LeavesOutRowsWithoutFigures) {
  const DataTable paper{"n", {{"x", "", 0}}, {{"9", {1}}}, {}};
  const DataTable here{"n", {{"x", "", 0}}, {{"1", {{}}}}, {}};
  EXPECT_THAT(labels(side_by_side(paper, here)), ElementsAre("9"));
}

}  // namespace
}  // namespace millrace::tools
